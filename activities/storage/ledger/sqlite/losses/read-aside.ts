/** Reads a ledger before it is opened for work, which would cut its log where that breaks off. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Null if the file cannot be read this way; opening it will report why. */
export function readAside<T>(ledger: string, read: (database: DatabaseSync) => T): T | null {
  let database: DatabaseSync | undefined;
  try {
    // With an empty log, reading leaves no files next to the ledger.
    const log = statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    database = new DatabaseSync(`${pathToFileURL(ledger)}${log === 0 ? '?immutable=1' : ''}`, {
      readOnly: true,
      timeout: 10_000,
    });
    return read(database);
  } catch {
    return null;
  } finally {
    database?.close();
  }
}
