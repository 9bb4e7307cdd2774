/**
 * Adds sealed parts to the manifest soon rather than at once: the manifest lists every part, so writing it for each
 * page would cost more and more.
 */

export interface Publisher {
  /**
   * Publishes within about a second, once for all calls meanwhile. If it fails, the end of the sweep publishes again.
   */
  soon(): void;
  /** Publishes now if a publication is pending. */
  flush(): Promise<void>;
}

const leastPauseMs = 1_000;
/** Publishing may take one twentieth of the time. */
const pausePerPublish = 20;

/** @param publish adds everything sealed to the manifest; idempotent */
export function createPublisher(publish: () => Promise<void>): Publisher {
  let waiting: NodeJS.Timeout | undefined;
  let pauseMs = leastPauseMs;
  const flush = async (): Promise<void> => {
    if (waiting === undefined) return;
    clearTimeout(waiting);
    waiting = undefined;
    const startMs = performance.now();
    await publish();
    pauseMs = Math.max(leastPauseMs, pausePerPublish * (performance.now() - startMs));
  };
  return {
    soon: () => {
      waiting ??= setTimeout(() => void flush().catch(() => {}), pauseMs).unref();
    },
    flush,
  };
}
