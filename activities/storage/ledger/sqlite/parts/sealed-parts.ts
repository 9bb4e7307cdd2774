/**
 * Records which Parquet files belong to the run: parts are registered under the fence,
 * so that readers need not trust the folder.
 */
import { supersededPath } from '../../../../../domain/part-paths.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { FencedError } from '../../fence.ts';
import type { Fence } from '../../fence.ts';
import type { PartRecord } from '../../records.ts';
import { fencedUnit, markSealed, pageRow } from '../plan-pages.ts';
import type { Totals } from '../totals.ts';
import { isOutgrown } from '../../outgrown-parts.ts';
import { mergedPartOf, partsOfPage, savePart } from './part-rows.ts';

/**
 * Registers a page's parts, replacing those of older revisions, and marks the page sealed; one that the plan asks more
 * of since they were written stays open. Returns the old paths of the replaced parts.
 */
export function sealPage(
  db: LedgerDatabase,
  totals: Totals,
  fence: Fence,
  page: string,
  parts: readonly PartRecord[],
): string[] {
  if (fencedUnit(db, totals, fence) === undefined) {
    throw new FencedError(
      `${fence.unit} attempt ${fence.attempt} of epoch ${fence.epoch} cannot seal ${page}: ` +
        'a newer attempt is active',
    );
  }
  const foreign = parts.find((part) => part.page !== page);
  if (foreign !== undefined)
    throw new Error(`part ${foreign.path} belongs to page ${foreign.page}, and cannot be sealed with ${page}`);
  const { state, revision } = pageRow(db, page);
  if (state === 'sealed') refuseOtherBytes(db, page, parts);
  const replaced = replaceParts(db, parts);
  if (!isOutgrown(parts, revision)) markSealed(db, page);
  return replaced;
}

function refuseOtherBytes(db: LedgerDatabase, page: string, parts: readonly PartRecord[]): void {
  const sealed = partsOfPage(db, page);
  for (const { table, revision, sha256, path } of parts) {
    const there = sealed.find((one) => one.table === table && one.revision === revision);
    if (there !== undefined && there.sha256 !== sha256)
      throw new Error(
        `${there.path} is sealed with SHA-256 ${there.sha256}, got ${path}: changed rows need a new revision`,
      );
  }
}

/**
 * Registers parts that replace those of the same table and page, of any revision; replaced parts stay registered under
 * the path they are moved to. Returns their old paths.
 */
export function replaceParts(db: LedgerDatabase, parts: readonly PartRecord[]): string[] {
  const pages = new Map([...new Set(parts.map(({ page }) => page))].map((page) => [page, partsOfPage(db, page)]));
  for (const part of parts) refuseMerged(db, part);
  const replaced = parts.flatMap((part) =>
    (pages.get(part.page) ?? [])
      .filter(({ table, path }) => table === part.table && path !== part.path)
      .map(({ path }) => path),
  );
  for (const path of replaced)
    db.sql('update or replace part set path = ? where path = ?').run(supersededPath(path), path);
  for (const part of parts) {
    // A replaced part may return with the same bytes.
    db.sql('delete from part where path = ?').run(supersededPath(part.path));
    savePart(db, part);
  }
  return replaced;
}

/** Rows of a page that may be replaced are in files of their own (activities/compact/open-pages.ts). */
function refuseMerged(db: LedgerDatabase, { page, table }: PartRecord): void {
  const merged = mergedPartOf(db, page, table);
  if (merged !== undefined) throw new Error(`${merged} holds rows of ${page}: take it apart before they are replaced`);
}
