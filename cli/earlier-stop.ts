/** Which stop of a run a command lifts: of `pause` and `resume`, the later one counts. */
import type { RunHome } from '../activities/storage/home/run-home.ts';

/**
 * The id of the run's stop before this command, null if there is none: a command that starts the run lifts this one,
 * and none that is given while it prepares. Undefined where the ledger cannot be read: whoever opens it says why.
 */
export async function earlierStop(home: Pick<RunHome, 'openLedgerToLook'>): Promise<number | null | undefined> {
  try {
    const ledger = await home.openLedgerToLook();
    try {
      return (await ledger.runStop())?.id ?? null;
    } finally {
      await ledger.close();
    }
  } catch {
    return undefined;
  }
}
