/** Notes a reference or mutation that takes long, while it runs, so that the wait for it can be named. */
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { type NotedPreparing, preparingFact } from '../storage/ledger/noted-facts.ts';

/** Time that a program may run without being named. */
const quietMs = 5_000;

/** The sandbox, with a note in the ledger for a program that has run for five seconds. */
export function notingSlow(
  box: Sandbox,
  ledger: Pick<Ledger, 'saveFact'>,
  epoch: number,
  waiting: Omit<NotedPreparing, 'sinceMs'>,
): Sandbox {
  const note = (sinceMs: number): void => {
    const noted = { ...waiting, sinceMs };
    // The note is only for people: the step itself reports a ledger that cannot be written.
    ledger.saveFact(preparingFact(epoch, noted), JSON.stringify(noted)).catch(() => undefined);
  };
  return {
    ...box,
    run: async (program, limits, signal) => {
      let timer: NodeJS.Timeout | undefined;
      const onStart = (): void => {
        const sinceMs = Date.now();
        timer ??= setTimeout(() => note(sinceMs), quietMs);
      };
      try {
        return await box.run(program, limits, signal, onStart);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
