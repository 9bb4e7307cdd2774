/**
 * SQL that creates one view per table over exactly the parts that the manifests list. `query` and `--shell-sql` use
 * the same SQL.
 */
import { join } from 'node:path';
import { type ColumnType, type Table, tables } from '../schemas/tables.ts';
import { lacksRun } from '../schemas/tables/in-views.ts';
import { currentParts, type ManifestPart, type RunFolder } from './run-folder.ts';
import type { View, ViewFacts } from './view.ts';

export const duckdbTypes = {
  string: 'VARCHAR',
  int: 'BIGINT',
  float: 'DOUBLE',
  bool: 'BOOLEAN',
  timestamp: 'TIMESTAMPTZ',
  intList: 'BIGINT[]',
  floatList: 'DOUBLE[]',
} as const satisfies Record<ColumnType, string>;

/** Tables that store a row once per page that used it. Their views show each row once, from the first page. */
const oncePerPage: Readonly<Record<string, string>> = { prompts: 'prompt_sha256', executions: 'execution_id' };

/** One `CREATE VIEW` per table, in the order of schemas/tables.ts, over the parts of all given runs; then `views`. */
export const viewStatements = (runs: readonly RunFolder[], views: readonly View[] = []): string[] => [
  ...Object.values(tables).map((table: Table) => createView(table, rowsSql(table, runs))),
  ...views.map((view) => statementOf(view, runs)),
];

/** @param columns as in `View` @param facts as in `View` */
export const statementOf = (
  { table, sql }: View,
  runs: readonly RunFolder[],
  columns: ReadonlySet<string> | null = null,
  facts?: ViewFacts,
): string =>
  createView(
    table,
    sql(
      runs.map(({ manifest }) => manifest),
      columns,
      facts,
    ),
  );

export const createView = ({ name }: Table, body: string): string =>
  `CREATE OR REPLACE VIEW ${quoteName(name)} AS ${body}`;

export const createTable = ({ name, columns }: Table): string =>
  `CREATE TABLE ${quoteName(name)} (${Object.entries(columns)
    .map(([column, { type }]) => `${quoteName(column)} ${duckdbTypes[type]}`)
    .join(', ')})`;

/** The rows of a table in these runs. @param partsOf which of its parts. Default: all current ones */
export const rowsSql = (table: Table, runs: readonly RunFolder[], partsOf: PartsOf = currentOf): string =>
  runsBody(table, filesOf(table, runs, partsOf), viewBody);

/** As `rowsSql`. What is stored once per page that used it is there for each of them. */
export const storedRowsSql = (table: Table, runs: readonly RunFolder[]): string =>
  runsBody(table, filesOf(table, runs, currentOf), storedBody);

/** A run's files of a table. */
export interface RunFiles {
  readonly runId: string;
  readonly files: readonly string[];
}

const filesOf = (table: Table, runs: readonly RunFolder[], partsOf: PartsOf): RunFiles[] =>
  runs.map((run) => ({
    runId: run.manifest.runId,
    files: partsOf(run, table.name).map(({ path }) => join(run.folder, path)),
  }));

const currentOf: PartsOf = ({ manifest }, name) => currentParts(manifest, name);

type PartsOf = (run: RunFolder, table: string) => readonly ManifestPart[];

/**
 * SQL for a table's rows in the files of these runs. Where the files lack a column `run`, it is added here: programs
 * and prompts of several runs may be the same, so each run has its own rows of them.
 * @param bodyOf Default: each row once
 */
export function runsBody(table: Table, runs: readonly RunFiles[], bodyOf: BodyOf = viewBody): string {
  if (!lacksRun(table))
    return bodyOf(
      table,
      runs.flatMap(({ files }) => files),
    );
  const arms = runs
    .filter(({ files }) => files.length > 0)
    .map(({ runId, files }) => `SELECT ${quoteText(runId)} AS run, * FROM (${bodyOf(table, files)})`);
  if (arms.length === 0) return `SELECT CAST(NULL AS VARCHAR) AS run, * FROM (${bodyOf(table, [])})`;
  return arms.join(' UNION ALL BY NAME ');
}

type BodyOf = (table: Table, files: readonly string[]) => string;

/** SQL for a table's rows in these files, each once. */
export function viewBody(table: Table, files: readonly string[]): string {
  const id = files.length === 0 ? undefined : oncePerPage[table.name];
  const once = id === undefined ? '' : ` QUALIFY row_number() OVER (PARTITION BY ${quoteName(id)} ORDER BY page) = 1`;
  return `${storedBody(table, files)}${once}`;
}

/**
 * The empty first arm gives the columns their types if there are no parts, and adds null columns that older parts
 * lack. Hive partitioning is off because part paths look like `model=<slug>`, which would replace
 * the column `model` by the slug.
 */
function storedBody(table: Table, files: readonly string[]): string {
  const columns = Object.entries(table.columns).map(
    ([name, { type }]) => `CAST(NULL AS ${duckdbTypes[type]}) AS ${quoteName(name)}`,
  );
  const empty = `SELECT ${columns.join(', ')} WHERE false`;
  if (files.length === 0) return empty;
  const list = files.map(quoteText).join(', ');
  const rows = `SELECT * FROM read_parquet([${list}], union_by_name = true, hive_partitioning = false)`;
  return `SELECT * FROM (${empty} UNION ALL BY NAME ${rows})`;
}

/** A text literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
