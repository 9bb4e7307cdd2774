/** Heartbeats while a step works, and the signal by which Temporal or the worker takes the step back. */
import { Context } from '@temporalio/activity';

/** Which try at which step this is, as Temporal counts: `step` is unique within its workflow, `attempt` counts from 1. */
export interface StepAttempt {
  readonly step: string;
  readonly attempt: number;
}

export type Heartbeat = <T>(work: (signal: AbortSignal, at: StepAttempt) => Promise<T>) => Promise<T>;

const everyMs = 2_000;

export const temporalHeartbeat: Heartbeat = async (work) => {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), everyMs);
  try {
    const { activityId: step, attempt } = context.info;
    return await work(context.cancellationSignal, { step, attempt });
  } finally {
    clearInterval(beat);
  }
};
