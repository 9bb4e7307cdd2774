/** Looks at something again and again while anybody follows it, once for all of them. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Poll<T> {
  /** The newest value: of a look now, unless somebody follows. */
  now(): Promise<T>;
  /** Gives `seen` each value that it has not had yet, until the signal aborts. */
  follow(signal: AbortSignal, seen: (value: T) => Promise<void>): Promise<void>;
}

/** A look may take this share of the time at most. */
const mostBusy = 0.1;

/** @param look never rejects */
export function createPoll<T>(look: () => Promise<T>, pauseMs: (value: T) => number): Poll<T> {
  let latest: { readonly value: T } | undefined;
  let next = Promise.withResolvers<void>();
  let [followers, isLooking] = [0, false];

  async function once(): Promise<{ readonly value: T; readonly tookMs: number }> {
    const startedMs = performance.now();
    const value = await look();
    latest = { value };
    const reached = next;
    next = Promise.withResolvers();
    reached.resolve();
    return { value, tookMs: performance.now() - startedMs };
  }

  async function goOn(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (followers > 0) {
      const { value, tookMs } = await once();
      await sleep(Math.max(pauseMs(value), tookMs / mostBusy), undefined, { ref: false });
    }
    isLooking = false;
  }

  return {
    now: async () => (isLooking && latest !== undefined ? latest : await once()).value,
    async follow(signal, seen) {
      followers += 1;
      const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      void goOn();
      let had: typeof latest;
      try {
        while (!signal.aborted) {
          const coming = next.promise;
          if (latest !== undefined && latest !== had) {
            had = latest;
            await seen(latest.value);
          } else await Promise.race([coming, left]);
        }
      } finally {
        followers -= 1;
      }
    },
  };
}
