/**
 * A lock for a run's small files: SQLite's own lock on the ledger, which ends with its process, even if it is killed.
 */
import { openDatabase } from './ledger/sqlite/ledger-database.ts';
import { ledgerPath } from './run-paths.ts';

/** Runs `work` while no other process holds the lock or writes to the ledger. */
export function withRunLock<T>(runFolder: string, work: () => T): T {
  const database = openDatabase(ledgerPath(runFolder));
  try {
    return database.immediate(work);
  } finally {
    database.close();
  }
}
