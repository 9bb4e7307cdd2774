/** A ledger as an outsider sees it: plain SQL on the file, nothing of ours in between. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The one number that `sql` selects; null when there is no ledger yet. */
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

/** Calls that were reserved and not yet committed. */
export const openIntents = (runFolder: string): number => ledgerNumber(runFolder, "select count(*) from intent where state = 'open'") ?? 0;

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
