/** Sealed parts reach the manifest soon instead of at once: it lists every part, so writing it for each page would cost ever more. */

export interface Publisher {
  /** Publishes within about a second, once for all who ask meanwhile. A failure is left to the end of the sweep, which publishes again. */
  soon(): void;
  /** Publishes now, if anybody waits for it. */
  flush(): Promise<void>;
}

const leastPauseMs = 1_000;
/** Publishing may take one twentieth of the time. */
const pausePerPublish = 20;

/** @param publish brings everything that is sealed into the manifest; repeating it changes nothing */
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
