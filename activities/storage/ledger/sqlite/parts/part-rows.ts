/** The rows of the ledger's table of parts. */
import { isSuperseded } from '../../../../../domain/part-paths.ts';
import { lostLedger } from '../../../files/corruption.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import type { PartRecord } from '../../records.ts';
import { pageRow } from '../plan-pages.ts';

export function savePart(db: LedgerDatabase, part: PartRecord): void {
  db.sql(
    'insert or replace into part (path, table_name, page, row_count, bytes, sha256, schema_version, revision) ' +
      'values (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(part.path, part.table, part.page, part.rows, part.bytes, part.sha256, part.schemaVersion, part.revision);
  for (const [place, [page, rows]] of Object.entries(part.pages ?? {}).entries())
    db.sql('insert or replace into merged_page (path, place, page, row_count) values (?, ?, ?, ?)').run(
      ...[part.path, place, page, rows],
    );
}

const columns = `path, table_name as "table", page, row_count as rows, bytes, sha256,
  schema_version as schemaVersion, revision`;

/** Throws `CorruptionError` for a row without what every row has: a page of the file that was cut off reads so. */
function wholeParts(db: LedgerDatabase, sql: string, ...values: readonly string[]): PartRecord[] {
  const parts = db.sql(sql).all(...values) as unknown as PartRecord[];
  const isWhole = ({ path, page, table, sha256 }: PartRecord): boolean =>
    [path, page, table, sha256].every((text) => typeof text === 'string');
  if (parts.every(isWhole)) return parts;
  throw lostLedger(db.path, 'every part of a run must have its path, page, table and hash, one has not: damaged');
}

/** The current parts of one page that hold no rows of others. */
export const partsOfPage = (db: LedgerDatabase, page: string): PartRecord[] =>
  wholeParts(db, `select ${columns} from part where page = ?`, page).filter(({ path }) => !isSuperseded(path));

/** Current parts that hold rows of one sealed page, of all pages of this page's lane. */
export function singleParts(db: LedgerDatabase, page: string): PartRecord[] {
  const lane = page.slice(0, page.lastIndexOf('/'));
  const parts = wholeParts(
    db,
    `select ${columns} from part where page > ? and page < ?
     and not exists (select 1 from merged_page where merged_page.path = part.path)`,
    `${lane}/`,
    `${lane}0`,
  );
  return parts.filter(({ path, page: own }) => !isSuperseded(path) && pageRow(db, own).state === 'sealed');
}

export const hasPart = (db: LedgerDatabase, path: string): boolean =>
  db.sql('select 1 from part where path = ?').get(path) !== undefined;

/** Current and replaced parts. */
export function allParts(db: LedgerDatabase): PartRecord[] {
  const merged = mergedPages(db);
  const parts = wholeParts(db, `select ${columns} from part order by path`);
  return merged.size === 0 ? parts : parts.map((part) => withPages(part, merged.get(part.path)));
}

const withPages = (part: PartRecord, pages: PartRecord['pages']): PartRecord =>
  pages === undefined ? part : { ...part, pages };

/** Of every merged part, by its path. */
function mergedPages(db: LedgerDatabase): Map<string, Record<string, number>> {
  const pages = new Map<string, Record<string, number>>();
  const rows = db.sql('select path, page, row_count as rows from merged_page order by path, place').all();
  for (const { path, page, rows: count } of rows) {
    const own = pages.get(String(path)) ?? {};
    pages.set(String(path), own);
    own[String(page)] = Number(count);
  }
  return pages;
}

/** The path of a merged part that holds a table's rows of the page; undefined if there is none. */
export function mergedPartOf(db: LedgerDatabase, page: string, table: string): string | undefined {
  const found = db
    .sql('select path from merged_page join part using (path) where merged_page.page = ? and table_name = ?')
    .get(page, table);
  return found === undefined ? undefined : String(found['path']);
}
