/** Reads a ledger with plain SQL on its file, without evenkeel's own code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The single number that `sql` selects; null if there is no ledger yet. */
export function ledgerNumber(runFolder: string, sql: string): number | null {
  const path = join(runFolder, 'ledger.sqlite');
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  } finally {
    database.close();
  }
}

/** Calls reserved and not yet committed. */
export const openIntents = (runFolder: string): number =>
  ledgerNumber(runFolder, "select count(*) from intent where state = 'open'") ?? 0;

/** True while another process is within a writing transaction. */
export function isLedgerHeld(runFolder: string): boolean {
  const database = new DatabaseSync(join(runFolder, 'ledger.sqlite'), { timeout: 200 });
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
