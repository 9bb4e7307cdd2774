/** Requests to a Temporal server that may be unreachable for a while. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two requests to the server. */
export const pollMs = 500;

/** The server is lost for this sweep. Starting the run again resumes it from its folder. */
export class ServerLostError extends Error {
  override readonly name = 'ServerLostError';
}

export interface Waiting {
  /** Name of the server, for messages. */
  readonly what: string;
  /** Gets a line when the wait begins, every 30 s, and when it ends. */
  readonly onLine: (line: string) => void;
  /** Default: ten minutes. */
  readonly limitMs?: number;
}

/** So long a server may be away, or unable to write to its disk, until a run ends by itself. */
export const longestWaitMs = 10 * 60_000;
const reportEveryMs = 30_000;

/**
 * Retries while the server is unreachable (for example, restarting), up to a limit, and reports the wait. A workflow's
 * own failure is not retried.
 * @throws the signal's reason when it is aborted while the server is unreachable; `ServerLostError` when the limit is
 *   reached, when the server refuses the connection, or when it does not know the sweep
 */
export async function retryWhileUnreachable<T>(
  signal: AbortSignal,
  waiting: Waiting,
  ask: () => Promise<T>,
): Promise<T> {
  const { what, onLine, limitMs = longestWaitMs } = waiting;
  let sinceMs: number | null = null;
  let reportedMs = 0;
  for (;;) {
    try {
      const answer = await ask();
      if (sinceMs !== null) onLine(`${what} answers again`);
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      throwIfPermanent(error, what, reason);
      signal.throwIfAborted();
      const nowMs = performance.now();
      sinceMs ??= nowMs;
      if (nowMs - sinceMs >= limitMs)
        throw new ServerLostError(`${what} has not answered for ${Math.round(limitMs / 1_000)} s: ${reason}`);
      if (reportedMs === 0 || nowMs - reportedMs >= reportEveryMs) {
        onLine(waitText(what, nowMs - sinceMs, limitMs, reason));
        reportedMs = nowMs;
      }
      await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** "waiting for … since 15:04:05 UTC, for at most 600 s (…)". */
export function waitText(what: string, waitedMs: number, limitMs: number, reason: string): string {
  const since = new Date(Date.now() - waitedMs).toISOString().slice(11, 19);
  return `waiting for ${what} since ${since} UTC, for at most ${Math.round(limitMs / 1_000)} s (${reason})`;
}

/** Rethrows errors that waiting cannot fix. */
function throwIfPermanent(error: unknown, what: string, reason: string): void {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError')
    throw new ServerLostError(`${what} no longer knows this sweep: its database was deleted or replaced`);
  if (!isServiceError(error)) throw error;
  if (isRefusal(reason)) throw new ServerLostError(`${what} now refuses the connection: ${reason}`);
}

const isServiceError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ServiceError' || 'code' in error);

/** The cause says more than "Failed to describe workflow". */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** Permission and certificate errors do not go away by waiting. */
export const isRefusal = (reason: string): boolean =>
  /unauthenticated|permission.?denied|certificate|self.?signed|unknown ca|wrong version number/i.test(reason);
