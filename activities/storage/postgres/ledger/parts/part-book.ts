/** Which files hold the rows of a run, on PostgreSQL: each change is one transaction under the fence or the epoch. */
import { isSuperseded, supersededPath } from '../../../../../domain/part-paths.ts';
import type { Fence } from '../../../ledger/fence.ts';
import { isOutgrown } from '../../../ledger/outgrown-parts.ts';
import type { PartBook } from '../../../ledger/part-book.ts';
import type { PartRecord } from '../../../ledger/records.ts';
import type { Postgres, Query } from '../../postgres.ts';
import { refuseOldEpoch, refuseOldFence } from '../fenced.ts';
import { manifestLock } from '../manifest-lock.ts';
import { unknownPage } from '../plan.ts';
import { allParts, forgetParts, partsOfPages, renameParts, saveParts, singleParts } from './part-rows.ts';

export function partBook(database: Postgres, run: number): PartBook {
  const { query } = database;
  return {
    sealPage: (fence, page, parts) => database.transaction((within) => sealPage(within, run, fence, page, parts)),
    replaceParts: (epoch, parts) =>
      database.transaction(async (within) => {
        await refuseOldEpoch(within, run, epoch);
        return replaceParts(within, run, parts);
      }),
    exchangeParts: (epoch, spent, parts) =>
      database.transaction(async (within) => {
        await refuseOldEpoch(within, run, epoch);
        return exchangeParts(within, run, spent, parts);
      }),
    parts: async () => (await allParts(query, run)).filter(({ path }) => !isSuperseded(path)),
    async currentPaths(paths) {
      const sql = 'select path from part where run = $1 and path = any ($2)';
      return new Set((await query<{ readonly path: string }>(sql, [run, [...paths]])).map(({ path }) => path));
    },
    singleParts: (page) => singleParts(query, run, page),
    supersededParts: async () => (await allParts(query, run)).filter(({ path }) => isSuperseded(path)),
    async spentParts() {
      const sql = 'select path from spent_part where run = $1 order by path';
      return (await query<{ readonly path: string }>(sql, [run])).map(({ path }) => path);
    },
    async forgetSpent(paths) {
      await query(
        `with forgotten as (delete from part where run = $1 and path = any ($2))
         delete from spent_part where run = $1 and path = any ($2)`,
        [run, paths.filter(isSuperseded)],
      );
    },
    withManifestLock: manifestLock(database, run),
  };
}

async function sealPage(
  query: Query,
  run: number,
  fence: Fence,
  page: string,
  parts: readonly PartRecord[],
): Promise<string[]> {
  await refuseOldFence(query, run, fence, `seal ${page}`);
  const foreign = parts.find((part) => part.page !== page);
  if (foreign !== undefined)
    throw new Error(`part ${foreign.path} belongs to page ${foreign.page}, and cannot be sealed with ${page}`);
  // Calls that end lock their page for share: those before this are counted with it, and later ones forget the count.
  const [row] = await query<{ readonly id: string; readonly state: string; readonly revision: number }>(
    'select id, state, revision from plan_page where run = $1 and page = $2 for update',
    [run, page],
  );
  if (row === undefined) throw unknownPage(page);
  if (row.state === 'sealed') refuseOtherBytes(await partsOfPages(query, run, [page]), parts);
  const replaced = await replaceParts(query, run, parts);
  if (!isOutgrown(parts, row.revision)) await query('select mark_sealed($1, $2)', [run, row.id]);
  return replaced;
}

function refuseOtherBytes(sealed: readonly PartRecord[], parts: readonly PartRecord[]): void {
  for (const { table, revision, sha256, path } of parts) {
    const there = sealed.find((one) => one.table === table && one.revision === revision);
    if (there !== undefined && there.sha256 !== sha256)
      throw new Error(
        `${there.path} is sealed with SHA-256 ${there.sha256}, got ${path}: changed rows need a new revision`,
      );
  }
}

/** Returns the old paths of parts of the same table and page, which stay registered under the path of their move. */
async function replaceParts(query: Query, run: number, parts: readonly PartRecord[]): Promise<string[]> {
  if (parts.length === 0) return [];
  const pages = [...new Set(parts.map(({ page }) => page))];
  await refuseMerged(query, run, pages, parts);
  const current = await partsOfPages(query, run, pages);
  const replaced = parts.flatMap((part) =>
    current
      .filter(({ page, table, path }) => page === part.page && table === part.table && path !== part.path)
      .map(({ path }) => path),
  );
  await renameParts(query, run, replaced);
  // A replaced part may return with the same bytes.
  await forgetParts(
    query,
    run,
    parts.map(({ path }) => supersededPath(path)),
  );
  await saveParts(query, run, parts);
  return replaced;
}

/** Rows of a page that may be replaced are in files of their own (activities/compact/open-pages.ts). */
async function refuseMerged(
  query: Query,
  run: number,
  pages: readonly string[],
  parts: readonly PartRecord[],
): Promise<void> {
  const merged = await query<{ readonly page: string; readonly table: string; readonly path: string }>(
    `select merged_page.page, table_name as table, path from merged_page join part using (run, path)
     where run = $1 and merged_page.page = any ($2)`,
    [run, pages],
  );
  const found = merged.find((one) => parts.some(({ page, table }) => page === one.page && table === one.table));
  if (found !== undefined)
    throw new Error(`${found.path} holds rows of ${found.page}: take it apart before they are replaced`);
}

/** Returns the paths of the spent parts. Throws if one of them no longer counts. */
async function exchangeParts(
  query: Query,
  run: number,
  spent: readonly PartRecord[],
  parts: readonly PartRecord[],
): Promise<string[]> {
  const paths = spent.map(({ path }) => path);
  const rows = await query<{ readonly path: string; readonly sha256: string }>(
    'select path, sha256 from part where run = $1 and path = any ($2) for update',
    [run, paths],
  );
  const known = new Map(rows.map(({ path, sha256 }) => [path, sha256]));
  const lost = spent.find(({ path, sha256 }) => known.get(path) !== sha256);
  if (lost !== undefined)
    throw new Error(`${lost.path} has been replaced since it was read, and its rows cannot move to another part`);
  await renameParts(query, run, paths);
  await query('delete from merged_page where run = $1 and path = any ($2)', [run, paths]);
  await query('insert into spent_part select $1, unnest($2::text[]) on conflict do nothing', [
    run,
    paths.map(supersededPath),
  ]);
  // Rows that are taken apart may return to the file that they came from.
  const returned = parts.map(({ path }) => supersededPath(path));
  await forgetParts(query, run, returned);
  await query('delete from spent_part where run = $1 and path = any ($2)', [run, returned]);
  await saveParts(query, run, parts);
  return paths;
}
