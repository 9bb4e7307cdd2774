/** The rows of a run's parts on PostgreSQL. */
import { isSuperseded, supersededPath } from '../../../../../domain/part-paths.ts';
import type { PartRecord } from '../../../ledger/records.ts';
import type { Query } from '../../postgres.ts';

const columns = `path, table_name as table, page, row_count::float8 as rows, bytes::float8 as bytes, sha256,
  schema_version as "schemaVersion", revision`;

type PartRow = Omit<PartRecord, 'pages'>;

/** The current parts of these pages that hold no rows of others. */
export const partsOfPages = async (query: Query, run: number, pages: readonly string[]): Promise<PartRow[]> =>
  (await query<PartRow>(`select ${columns} from part where run = $1 and page = any ($2)`, [run, pages])).filter(
    ({ path }) => !isSuperseded(path),
  );

/** Current and replaced parts. `json`, unlike `jsonb`, keeps the order of the pages. */
export async function allParts(query: Query, run: number): Promise<PartRecord[]> {
  const rows = await query<PartRow & { readonly pages: Readonly<Record<string, number>> | null }>(
    `select ${columns}, (select json_object_agg(merged_page.page, merged_page.row_count order by place)
       from merged_page where merged_page.run = part.run and merged_page.path = part.path) as pages
     from part where run = $1 order by path`,
    [run],
  );
  return rows.map(({ pages, ...part }) => (pages === null ? part : { ...part, pages }));
}

/** Current parts that hold rows of one sealed page, of all pages of this page's lane. */
export async function singleParts(query: Query, run: number, page: string): Promise<PartRecord[]> {
  const lane = page.slice(0, page.lastIndexOf('/'));
  const parts = await query<PartRow>(
    `select ${columns} from part where run = $1 and page > $2 and page < $3
     and not exists (select from merged_page where merged_page.run = part.run and merged_page.path = part.path)
     and exists (select from plan_page where plan_page.run = part.run and plan_page.page = part.page
       and state = 'sealed') order by path`,
    [run, `${lane}/`, `${lane}0`],
  );
  return parts.filter(({ path }) => !isSuperseded(path));
}

export async function renameParts(query: Query, run: number, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const moved = paths.map(supersededPath);
  await forgetParts(query, run, moved);
  await query(
    `update part set path = moved.path from unnest($2::text[], $3::text[]) as moved (old, path)
     where part.run = $1 and part.path = moved.old`,
    [run, paths, moved],
  );
}

export async function forgetParts(query: Query, run: number, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await query('delete from part where run = $1 and path = any ($2)', [run, paths]);
}

export async function saveParts(query: Query, run: number, parts: readonly PartRecord[]): Promise<void> {
  if (parts.length === 0) return;
  await query(
    `insert into part (run, path, table_name, page, row_count, bytes, sha256, schema_version, revision)
     select $1, path, "table", page, rows, bytes, sha256, "schemaVersion", revision
     from jsonb_to_recordset($2) as given (path text, "table" text, page text, rows bigint, bytes bigint, sha256 text,
       "schemaVersion" int, revision int)
     on conflict (run, path) do update set table_name = excluded.table_name, page = excluded.page,
       row_count = excluded.row_count, bytes = excluded.bytes, sha256 = excluded.sha256,
       schema_version = excluded.schema_version, revision = excluded.revision`,
    [run, JSON.stringify(parts.map(({ pages: _pages, ...part }) => part))],
  );
  const merged = parts.flatMap(({ path, pages = {} }) =>
    Object.entries(pages).map(([page, rows], place) => ({ path, place, page, rows })),
  );
  if (merged.length === 0) return;
  await query(
    `insert into merged_page (run, path, place, page, row_count) select $1, path, place, page, rows
     from jsonb_to_recordset($2) as given (path text, place int, page text, rows bigint)
     on conflict (run, path, place) do update set page = excluded.page, row_count = excluded.row_count`,
    [run, JSON.stringify(merged)],
  );
}
