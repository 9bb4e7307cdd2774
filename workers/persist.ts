/** Asking a Temporal server that may be away for a while. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two questions to the server. */
export const pollMs = 500;

/**
 * Goes on asking while the server is away (it is being restarted); a workflow's own failure is final.
 * @throws the signal's reason when it is aborted while the server is away
 */
export async function persist<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isUnreachable = error instanceof Error && (error.name === 'ServiceError' || 'code' in error);
      if (!isUnreachable) throw error;
      signal.throwIfAborted();
      await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
