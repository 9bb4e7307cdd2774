/** A lock for a run's small files, for callers that have not opened its ledger. */
import { withLedgerLock } from './ledger/sqlite/ledger-lock.ts';
import { ledgerPath } from './run-paths.ts';

/** Runs `work` while no other process holds the lock; see `PartBook.withManifestLock`. */
export const withRunLock = <T>(runFolder: string, work: () => Promise<T>): Promise<T> =>
  withLedgerLock(ledgerPath(runFolder), work);
