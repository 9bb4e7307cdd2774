/**
 * The lock of a run's small files: SQLite's own lock on the ledger, which ends with its process, even if it is killed.
 * It is taken on a connection of its own, so that nothing else is in its transaction.
 */
import { openDatabase } from './ledger-database.ts';
import { writeGate } from './write-gate.ts';

/**
 * Runs `work` while no other process holds the lock or writes to the ledger. Other processes wait in SQLite meanwhile:
 * keep it short.
 * @param path of the ledger's file
 */
export const withLedgerLock = <T>(path: string, work: () => Promise<T>): Promise<T> =>
  writeGate(path).closedDuring(async () => {
    const database = openDatabase(path);
    try {
      return await database.locked(work);
    } finally {
      database.close();
    }
  });
