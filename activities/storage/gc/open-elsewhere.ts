/** Whether any process has an SQLite file open. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * True while another connection, even an idle one, has the file open: in WAL mode each holds a shared lock from its
 * first statement on, and SQLite's exclusive locking mode needs the file alone. What a killed process left in the log
 * moves into the file. Throws SQLite's error for a file that is not a database.
 */
export function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true;
    throw error;
  } finally {
    database.close();
  }
}
