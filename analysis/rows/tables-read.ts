/** Which stored tables a query may read, so that only their files are opened and checked. */
import { join } from 'node:path';
import type { Manifest } from '../../schemas/manifest.ts';
import { tables } from '../../schemas/tables.ts';
import { currentParts, type RunFolder } from '../run-folder.ts';
import type { View, ViewFacts } from '../view.ts';

/** May hold others, if a column or a word of the query has a table's name. */
export interface TablesRead {
  /** By their names, in the query or in views. */
  readonly named: readonly string[];
  /** By the paths of their files, as `rowsOf` has them. */
  readonly byFile: readonly string[];
}

/** The table of each part, by the part's path. */
export type FileTables = ReadonlyMap<string, string>;

export const fileTablesOf = (runs: readonly RunFolder[]): FileTables =>
  new Map(
    runs.flatMap(({ folder, manifest }) =>
      Object.keys(tables).flatMap((table) =>
        currentParts(manifest, table).map(({ path }) => [join(folder, path), table] as const),
      ),
    ),
  );

/**
 * @param views they read the tables that their SQL names @param columns as in `View`: those that the query reads
 * @param facts as in `View`
 */
export function tablesRead(
  sql: string,
  files: FileTables,
  manifests: readonly Manifest[],
  views: readonly View[],
  columns: ReadonlySet<string> | null,
  facts: ReadonlyMap<View, ViewFacts> = new Map(),
): TablesRead {
  const all = [sql, ...viewsIn(sql, views).map((view) => view.sql(manifests, columns, facts.get(view)))].join(' ');
  const byFile = new Set<string>();
  const rest = all.replaceAll(texts, (text) => {
    const table = files.get(text.slice(1, -1).replaceAll("''", "'"));
    if (table === undefined) return text;
    byFile.add(table);
    return knownFile;
  });
  return { named: tablesIn(rest.replaceAll(knownLists, '(')), byFile: [...byFile] };
}

/** A text that a comment or another kind of text ends elsewhere is not found here, and then every table is read. */
const texts = /'(?:[^']|'')*'/g;
const knownFile = "''";
const knownLists = /read_parquet\(\[''(?:, '')*\],/g;

/** Functions that may read a part without naming its table. */
const byOtherNames = /\b(?:read_parquet|parquet_\w+|query_table|query)\s*\(|\.parquet/i;

function tablesIn(sql: string): string[] {
  const names = Object.keys(tables);
  if (byOtherNames.test(sql)) return names;
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  return names.filter((name) => words.has(name));
}

export const viewsIn = (sql: string, views: readonly View[]): View[] =>
  views.filter(({ table: { name } }) => sql.toLowerCase().includes(name));
