/**
 * Keeps the writers of this process waiting, without blocking it, while work of this process holds a ledger's lock.
 * SQLite's lock is between connections: a writer that waited in SQLite for work of its own process, which then could
 * not go on, would wait until the lock's timeout.
 */
export interface WriteGate {
  /**
   * Ends with the work that holds the lock; undefined while there is none. Look again after it has ended, and write
   * before anything else is awaited: `while (gate.held !== undefined) await gate.held`.
   */
  readonly held: Promise<void> | undefined;
  /** Runs `work` when the work before it has ended. */
  closedDuring<T>(work: () => Promise<T>): Promise<T>;
}

const gates = new Map<string, WriteGate>();

/** @param path of the ledger's file */
export function writeGate(path: string): WriteGate {
  const gate = gates.get(path) ?? newGate();
  gates.set(path, gate);
  return gate;
}

function newGate(): WriteGate {
  let held: Promise<void> | undefined;
  return {
    get held() {
      return held;
    },
    async closedDuring(work) {
      while (held !== undefined) await held;
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      try {
        return await work();
      } finally {
        held = undefined;
        resolve();
      }
    },
  };
}
