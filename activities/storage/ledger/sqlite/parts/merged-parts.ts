/** Records which parts hold the rows of others: several pages merged into one file, or taken apart again. */
import { isSuperseded, supersededPath } from '../../../../../domain/part-paths.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import type { PartRecord } from '../../records.ts';
import { savePart } from './part-rows.ts';

/** Returns the paths of the spent parts. Throws if one of them no longer counts. */
export function exchangeParts(
  db: LedgerDatabase,
  spent: readonly PartRecord[],
  parts: readonly PartRecord[],
): string[] {
  for (const { path, sha256 } of spent)
    if (db.sql('select 1 from part where path = ? and sha256 = ?').get(path, sha256) === undefined)
      throw new Error(`${path} has been replaced since it was read, and its rows cannot move to another part`);
  for (const { path } of spent) {
    const moved = supersededPath(path);
    db.sql('update or replace part set path = ? where path = ?').run(moved, path);
    db.sql('delete from merged_page where path = ?').run(path);
    db.sql('insert or ignore into spent_part (path) values (?)').run(moved);
  }
  for (const part of parts) {
    // Rows that are taken apart may return to the file that they came from.
    db.sql('delete from part where path = ?').run(supersededPath(part.path));
    db.sql('delete from spent_part where path = ?').run(supersededPath(part.path));
    savePart(db, part);
  }
  return spent.map(({ path }) => path);
}

export const spentParts = (db: LedgerDatabase): string[] =>
  db
    .sql('select path from spent_part order by path')
    .all()
    .map(({ path }) => String(path));

export function forgetSpent(db: LedgerDatabase, paths: readonly string[]): void {
  for (const path of paths) {
    if (isSuperseded(path)) db.sql('delete from part where path = ?').run(path);
    db.sql('delete from spent_part where path = ?').run(path);
  }
}
