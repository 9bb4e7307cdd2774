/** Programs that take seconds run beside the others, not before them: they have a share of the sandbox, and all of it when nothing else wants it. */
export interface SlowShare {
  run<T>(isSlow: boolean, work: () => Promise<T>): Promise<T>;
}

/** The sandbox belongs to slow programs alone after this long without another one: between two answers is not yet alone. */
const aloneAfterMs = 5_000;

/** @param slots programs that run at the same time; half of them, one at least, may be slow ones while others come */
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

  async function besides<T>(work: () => Promise<T>): Promise<T> {
    others += 1;
    try {
      return await work();
    } finally {
      others -= 1;
      othersEndedMs = performance.now();
    }
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
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

  return { run: (isSlow, work) => (isSlow ? inTurn(work) : besides(work)) };
}
