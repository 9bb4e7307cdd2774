/** Asking a Temporal server that may be away for a while. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two questions to the server. */
export const pollMs = 500;

/** The server is gone for this sweep; the run goes on from its folder, when it is started again. */
export class ServerLostError extends Error {
  override readonly name = 'ServerLostError';
}

export interface Waiting {
  /** The server, for a person. */
  readonly what: string;
  /** Takes a line when the waiting begins, every half minute, and when it is over. */
  readonly onLine: (line: string) => void;
  /** Default: ten minutes. */
  readonly limitMs?: number;
}

const longestWaitMs = 10 * 60_000;
const sayEveryMs = 30_000;

/**
 * Goes on asking while the server is away (it is being restarted), up to a limit, and says so; a workflow's own failure is final.
 * @throws the signal's reason when it is aborted while the server is away; `ServerLostError` when the limit is reached, when the server lets nobody
 * in any more, and when it does not know the sweep
 */
export async function persist<T>(signal: AbortSignal, waiting: Waiting, ask: () => Promise<T>): Promise<T> {
  const { what, onLine, limitMs = longestWaitMs } = waiting;
  let sinceMs: number | null = null;
  let saidMs = 0;
  for (;;) {
    try {
      const answer = await ask();
      if (sinceMs !== null) onLine(`${what} answers again`);
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      refuse(error, what, reason);
      signal.throwIfAborted();
      const nowMs = performance.now();
      sinceMs ??= nowMs;
      if (nowMs - sinceMs >= limitMs) throw new ServerLostError(`${what} has not answered for ${Math.round(limitMs / 1_000)} s: ${reason}`);
      if (saidMs === 0 || nowMs - saidMs >= sayEveryMs) {
        onLine(waitText(what, nowMs - sinceMs, limitMs, reason));
        saidMs = nowMs;
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

/** What waiting does not mend. */
function refuse(error: unknown, what: string, reason: string): void {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError')
    throw new ServerLostError(`${what} does not know this sweep any more: its database was deleted, or is another one`);
  if (!isServiceError(error)) throw error;
  if (isRefusal(reason)) throw new ServerLostError(`${what} lets nobody in any more: ${reason}`);
}

const isServiceError = (error: unknown): boolean => error instanceof Error && (error.name === 'ServiceError' || 'code' in error);

/** The cause says more than "Failed to describe workflow". */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** A server that answers "you may not", or whose certificate is refused, will not answer otherwise later. */
export const isRefusal = (reason: string): boolean =>
  /unauthenticated|permission.?denied|certificate|self.?signed|unknown ca|wrong version number/i.test(reason);
