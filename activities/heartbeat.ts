/** Heartbeats while a step works, and the signal by which Temporal or the worker takes the step back. */
import { Context } from '@temporalio/activity';

/** Which try at which step this is, as Temporal counts: `step` is unique within its workflow, `attempt` counts from 1. */
export interface StepAttempt {
  readonly step: string;
  readonly attempt: number;
  /** True once this process stood still for longer than the step may stay silent: another attempt acts for it, or will. */
  readonly isOverdue?: () => boolean;
}

export type Heartbeat = <T>(work: (signal: AbortSignal, at: StepAttempt) => Promise<T>) => Promise<T>;

const everyMs = 2_000;

export const temporalHeartbeat: Heartbeat = async (work) => {
  const context = Context.current();
  const { activityId: step, attempt, heartbeatTimeoutMs = Number.POSITIVE_INFINITY } = context.info;
  const silence = watchSilence(heartbeatTimeoutMs);
  const beat = setInterval(() => {
    silence.beat();
    context.heartbeat();
  }, everyMs);
  try {
    return await work(context.cancellationSignal, { step, attempt, isOverdue: silence.isOverdue });
  } finally {
    clearInterval(beat);
  }
};

/** Of a process that was stopped (SIGSTOP, a suspended machine) and woke: its timers are late, and what waited for them goes on at once. */
export function watchSilence(limitMs: number, nowMs = (): number => performance.now()): { beat(): void; isOverdue(): boolean } {
  let lastMs = nowMs();
  let wasOverdue = false;
  const look = (): boolean => {
    wasOverdue ||= nowMs() - lastMs > limitMs;
    return wasOverdue;
  };
  return {
    beat: () => {
      look();
      lastMs = nowMs();
    },
    isOverdue: look,
  };
}
