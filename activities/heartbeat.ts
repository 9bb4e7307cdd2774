/** Sends heartbeats while a step works; provides the signal by which Temporal or the worker cancels the step. */
import { Context } from '@temporalio/activity';

/**
 * Identifies an attempt at a step, as Temporal counts: `step` is unique within its workflow, `attempt` counts from 1.
 */
export interface StepAttempt {
  readonly step: string;
  readonly attempt: number;
  /** True once this process sent no heartbeat for longer than the timeout: another attempt runs, or will run. */
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

/**
 * Detects that the process was suspended (SIGSTOP, a suspended machine). On waking its timers are late, and whatever
 * waited for them would go on at once.
 */
export function watchSilence(
  limitMs: number,
  nowMs = (): number => performance.now(),
): { beat(): void; isOverdue(): boolean } {
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
