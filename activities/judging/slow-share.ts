/**
 * Lets slow programs (seconds each) run alongside the others: they get a share of the sandbox, and all of it while
 * nothing else needs it.
 */
export interface SlowShare {
  run<T>(isSlow: boolean, work: () => Promise<T>): Promise<T>;
}

/**
 * Slow programs get the whole sandbox after this long without other programs; a pause between two answers is shorter.
 */
const aloneAfterMs = 5_000;

/**
 * @param slots programs that run at the same time; at most half of them, at least one, may be slow while others arrive
 */
export function createSlowShare(slots: number): SlowShare {
  const share = Math.max(1, Math.floor(slots / 2));
  let [slow, others] = [0, 0];
  let othersEndedMs = performance.now();
  const waiting: (() => void)[] = [];
  let later: NodeJS.Timeout | undefined;

  const allowed = (): number => (others === 0 && performance.now() - othersEndedMs >= aloneAfterMs ? slots : share);

  function admit(): void {
    clearTimeout(later);
    while (slow < allowed()) {
      const next = waiting.shift();
      if (next === undefined) return;
      slow += 1;
      next();
    }
    if (waiting.length > 0) later = setTimeout(admit, aloneAfterMs).unref();
  }

  async function runQuick<T>(work: () => Promise<T>): Promise<T> {
    others += 1;
    try {
      return await work();
    } finally {
      others -= 1;
      othersEndedMs = performance.now();
    }
  }

  async function runSlow<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    try {
      return await work();
    } finally {
      slow -= 1;
      admit();
    }
  }

  return { run: (isSlow, work) => (isSlow ? runSlow(work) : runQuick(work)) };
}
