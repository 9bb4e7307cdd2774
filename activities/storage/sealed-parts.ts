/** Which Parquet files belong to the run: registered under the fence, so that readers need not trust the folder. */
import type { LedgerDatabase } from './ledger-database.ts';
import { FencedError } from './ledger.ts';
import type { Fence, PartRecord } from './ledger.ts';
import { fencedUnit, markSealed } from './plan-pages.ts';
import type { Totals } from './totals.ts';

/** Registers a page's parts. `publish` puts the staged files in their places; it is called only when the parts are new. */
export function sealPage(
  db: LedgerDatabase,
  totals: Totals,
  fence: Fence,
  page: string,
  parts: readonly PartRecord[],
  publish: () => void,
): void {
  if (fencedUnit(db, totals, fence) === undefined) {
    throw new FencedError(
      `${fence.unit} attempt ${fence.attempt} of epoch ${fence.epoch} may not seal ${page}: a newer attempt acts for it`,
    );
  }
  const foreign = parts.find((part) => part.page !== page);
  if (foreign !== undefined) throw new Error(`part ${foreign.path} belongs to page ${foreign.page}, got it with the seal of ${page}`);
  const fresh = parts.filter((part) => !isSealed(db, part));
  if (fresh.length > 0) publish();
  for (const part of fresh) savePart(db, part);
  markSealed(db, page);
}

/** True when the very same part is registered already; throws when its path is taken by other bytes. */
function isSealed(db: LedgerDatabase, part: PartRecord): boolean {
  const sealed = db.sql('select sha256 from part where path = ?').get(part.path);
  if (sealed === undefined) return false;
  if (sealed['sha256'] === part.sha256) return true;
  throw new Error(`${part.path} is sealed with SHA-256 ${sealed['sha256']}, got ${part.sha256}: changed rows belong in a new revision`);
}

export function saveRunParts(db: LedgerDatabase, parts: readonly PartRecord[], publish: () => void): void {
  publish();
  for (const part of parts) savePart(db, part);
}

function savePart(db: LedgerDatabase, part: PartRecord): void {
  db.sql(
    `insert or replace into part (path, table_name, page, row_count, bytes, sha256, schema_version, revision) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(part.path, part.table, part.page, part.rows, part.bytes, part.sha256, part.schemaVersion, part.revision);
}

export const allParts = (db: LedgerDatabase): PartRecord[] =>
  db
    .sql(
      `select path, table_name as "table", page, row_count as rows, bytes, sha256, schema_version as schemaVersion, revision
       from part order by path`,
    )
    .all() as unknown as PartRecord[];
