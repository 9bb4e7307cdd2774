/**
 * Runs of this process that are closing, by their uuids.
 * @param closeLedger stores what is still to be stored
 * @param closeRest of what holds no lock; nobody waits for it
 */
export function createClosingRuns<Opened>(
  closeLedger: (run: Opened) => Promise<void>,
  closeRest: (run: Opened) => unknown,
) {
  const closing = new Map<string, Promise<unknown>>();
  return {
    all: () => [...closing.values()],
    /** A closing ledger may hold its lock, for which SQLite would block this process if it opened the run. */
    async ended(uuid: string): Promise<void> {
      while (closing.has(uuid)) await closing.get(uuid);
    },
    begin(uuid: string, run: Promise<Opened>): void {
      const closed = Promise.allSettled([closing.get(uuid), run.then(closeLedger)]).then(() => {
        if (closing.get(uuid) === closed) closing.delete(uuid);
      });
      closing.set(uuid, closed);
      void Promise.all([run, closed]).then(
        ([opened]) => closeRest(opened),
        () => {},
      );
    },
  };
}
