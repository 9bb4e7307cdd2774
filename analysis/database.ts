/**
 * Read-only DuckDB access to the sealed parts of runs. It works while a run is active,
 * and queries cannot read any other file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type Json } from '@duckdb/node-api';
import { InputError } from '../domain/errors.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type TableName, tables } from '../schemas/tables.ts';
import { corruptionErrorOr } from './damaged-part.ts';
import { jsonValue, readable } from './json-values.ts';
import { createModelParts } from './model-parts.ts';
import { createPartTrust, type PartTrust } from './part-trust.ts';
import { currentParts, type ManifestPart, readRunFolder, type RunFolder, type RunTables } from './run-folder.ts';
import { createTableViews, emptyViews, type TableViews } from './table-views.ts';
import { asInputError, prepareSelect } from './select-statement.ts';
import { copyStatement, type RowStream, streamOf } from './row-stream.ts';
import type { View } from './view.ts';
import { quoteText, rowsSql, storedRowsSql } from './views.ts';

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values in column order; see json-values.ts. */
  readonly rows: readonly (readonly Json[])[];
  /** Whether the query has more rows than were asked for. */
  readonly hasMore: boolean;
}

/** Tables to ask with SQL. */
export interface RowDatabase {
  /**
   * One SELECT (also WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE). Throws `InputError` for anything else and for
   * errors in the SQL. @param most maximum number of rows
   */
  query(sql: string, most?: number): Promise<QueryResult>;
  /** The same, without keeping the rows: read them to the end, or leave the loop over them. */
  stream(sql: string): Promise<RowStream>;
  /** Writes the rows of a query as Parquet to the file that was named on opening, and gives back their number. */
  copy(sql: string): Promise<number>;
  /** Waits for running queries of a run: DuckDB hangs or crashes when it is closed during one. */
  close(): void;
}

export interface RunDatabase extends RowDatabase {
  readonly manifests: readonly Manifest[];
  /**
   * SQL that selects one run's rows of a table from the run's own files.
   * @param model leaves out the files of other models, but not every row of others: thousands of files are slow to open
   */
  rowsOf(table: TableName, run: string, model?: string): string;
  /**
   * As `rowsOf`, with what is stored once per page for each of its pages: to have it once, DuckDB keeps all of it.
   */
  storedRowsOf(table: TableName, run: string): string;
}

interface Opening {
  /** Selects the parts to open; the others need not exist. */
  readonly isWanted?: (part: ManifestPart) => boolean;
  /** Tables that are not stored. */
  readonly views?: readonly View[];
  /** Parquet files that take the place of a table's parts, for a single run; the caller trusts them. */
  readonly replaced?: ReadonlyMap<TableName, readonly string[]>;
  /** The file that `copy` writes, as an absolute path. */
  readonly copyTo?: string;
  /** Default: all cores, and most of the machine's memory. */
  readonly bounds?: Bounds;
}

/** What DuckDB may use at most. */
export interface Bounds {
  readonly threads: number;
  /** MiB. A query that needs more fails. */
  readonly memory: number;
}

/** Opens the tables of one run or several; column `run` tells their rows apart. */
export async function openRun(runs: RunTables | readonly RunTables[], opening: Opening = {}): Promise<RunDatabase> {
  const open = (): Promise<OpenViews> => openViews([runs].flat(), opening);
  const all = [await open()];
  const underWay = new Set<Promise<unknown>>();
  const asked = async <T>(ask: (current: OpenViews) => Promise<T>): Promise<T> => {
    const current = all.at(-1) as OpenViews;
    try {
      return await ask(current);
    } catch (error) {
      // An active run may have replaced parts since it was opened.
      if (!current.runs.some(hasMovedParts)) throw error;
      all.push(await open());
      return ask(all.at(-1) as OpenViews);
    }
  };
  const awaited = <T>(result: Promise<T>, ended: Promise<unknown> = result): Promise<T> => {
    underWay.add(ended);
    const forget = (): void => void underWay.delete(ended);
    ended.then(forget, forget);
    return result;
  };
  const [{ runs: opened }] = all as [OpenViews];
  const modelParts = createModelParts();
  const named = (runId: string) => opened.filter(({ manifest }) => manifest.runId === runId);
  return {
    manifests: opened.map((run) => run.manifest),
    rowsOf: (table, runId, model) =>
      opening.replaced?.has(table)
        ? `SELECT * FROM ${table}`
        : rowsSql(
            tables[table],
            named(runId),
            model === undefined ? undefined : (run, name) => modelParts(run, name, model),
          ),
    storedRowsOf: (table, runId) =>
      opening.replaced?.has(table) ? `SELECT * FROM ${table}` : storedRowsSql(tables[table], named(runId)),
    query: (sql, most = Infinity) => awaited(asked((current) => query(current, sql, most))),
    stream: (sql) => {
      const result = asked((current) => stream(current, sql));
      return awaited(
        result,
        result.then(({ ended }) => ended),
      );
    },
    copy: (sql) => awaited(asked((current) => copy(current, sql, opening.copyTo))),
    close: () =>
      void Promise.allSettled(underWay).then(() => {
        for (const { close } of all) close();
      }),
  };
}

interface OpenViews {
  readonly runs: readonly RunFolder[];
  readonly connection: DuckDBConnection;
  readonly trust: PartTrust;
  readonly tables: TableViews;
  close(): void;
}

/** Opens views over Parquet files that belong to no run; their bytes have been checked. */
export async function openFiles(
  views: readonly string[],
  files: readonly string[],
  copyTo?: string,
): Promise<RowDatabase> {
  const open = await openLocked([], [], views, [...files, ...listed(copyTo)]);
  return {
    query: (sql, most = Infinity) => query(open, sql, most),
    stream: (sql) => stream(open, sql),
    copy: (sql) => copy(open, sql, copyTo),
    close: open.close,
  };
}

async function openViews(
  folders: readonly RunTables[],
  { isWanted, views = [], replaced = new Map(), copyTo, bounds }: Opening,
): Promise<OpenViews> {
  const runs = await Promise.all(folders.map((folder) => readRunFolder(folder, isWanted)));
  refuseEqualNames(runs);
  const files = [...partFiles(runs), ...[...replaced.values()].flat(), ...listed(copyTo)];
  return openLocked(runs, views, emptyViews(runs, views), files, { replaced, ...(bounds !== undefined && { bounds }) });
}

const listed = (path: string | undefined): string[] => (path === undefined ? [] : [path]);

async function openLocked(
  runs: readonly RunFolder[],
  views: readonly View[],
  statements: readonly string[],
  files: readonly string[],
  { replaced = new Map(), bounds }: Pick<Opening, 'replaced' | 'bounds'> = {},
): Promise<OpenViews> {
  const options = bounds && { threads: String(bounds.threads), memory_limit: `${bounds.memory}MiB` };
  const instance = await DuckDBInstance.create(':memory:', options);
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await connection.run([...statements, ...lockStatements(files)].join(';\n'));
    const defined = runs.length === 0 ? noTables : createTableViews(connection, runs, views, replaced);
    return { runs, connection, trust: createPartTrust(runs), tables: defined, close };
  } catch (cause) {
    close();
    throw await corruptionErrorOr(cause, runs);
  }
}

/** Of files that belong to no run, whose views are made at once. */
const noTables: TableViews = { define: async () => [] };

/** Rows are told apart by the run's name, and a copy of a run folder has the same name. */
function refuseEqualNames(runs: readonly RunFolder[]): void {
  for (const [runId, [first, second]] of Map.groupBy(runs, ({ manifest }) => manifest.runId)) {
    if (second === undefined) continue;
    const remedy = 'name each run once, and read copies separately';
    throw new InputError(
      `holds run "${runId}", as does ${first?.folder}, and their rows cannot be told apart; ${remedy}`,
      {
        file: second.folder,
      },
    );
  }
}

const hasMovedParts = ({ folder, manifest }: RunFolder): boolean =>
  manifest.parts.some(({ path }) => !existsSync(join(folder, path)));

function partFiles(runs: readonly RunFolder[]): string[] {
  const names = Object.keys(tables);
  return runs.flatMap(({ folder, manifest }) =>
    names.flatMap((name) => currentParts(manifest, name).map((part) => join(folder, part.path))),
  );
}

/** After these, only the files can be read or written, nothing is spilled to disk or loaded, settings are locked. */
function lockStatements(files: readonly string[]): string[] {
  return [
    "SET TimeZone = 'UTC'",
    "SET temp_directory = ''",
    // Each part is read only once or twice, and this cache took 100 MB.
    'SET enable_external_file_cache = false',
    // A file's end is needed to define its table, to prepare a query and to run it, and was read for each.
    'SET parquet_metadata_cache = true',
    `SET allowed_paths = [${files.map(quoteText).join(', ')}]`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

/** Of a query: what is wrong with the SQL, or which part is damaged. */
const failedOver =
  (runs: readonly RunFolder[]) =>
  async (cause: unknown): Promise<never> =>
    asInputError(await corruptionErrorOr(cause, runs));

/** The statement, with the tables that it names defined and their bytes checked. */
async function prepared({ connection, runs, trust, tables: views }: OpenViews, sql: string) {
  const failed = failedOver(runs);
  const names = await views.define(sql).catch(failed);
  const statement = await prepareSelect(connection, sql).catch(failed);
  await trust.check(names);
  return statement;
}

async function query(views: OpenViews, sql: string, most: number): Promise<QueryResult> {
  if (most !== Infinity) return firstRows(await stream(views, sql), most);
  const { runs } = views;
  const failed = failedOver(runs);
  const statement = await prepared(views, sql);
  try {
    const result = await statement.runAndReadAll().catch(failed);
    const types = result.columnTypes();
    return {
      columns: result.columnNames().map((name, index) => ({ name, type: String(types[index]) })),
      rows: readable(() => result.convertRows(jsonValue)),
      hasMore: false,
    };
  } finally {
    statement.destroySync();
  }
}

async function firstRows({ columns, batches }: RowStream, most: number): Promise<QueryResult> {
  const rows: QueryResult['rows'][number][] = [];
  for await (const batch of batches) {
    for (const row of batch) rows.push(row);
    if (rows.length > most) break;
  }
  return { columns, rows: rows.slice(0, most), hasMore: rows.length > most };
}

async function stream(views: OpenViews, sql: string): Promise<RowStream> {
  const statement = await prepared(views, sql);
  return streamOf(views.connection, sql, statement, failedOver(views.runs));
}

async function copy(views: OpenViews, sql: string, file = ''): Promise<number> {
  (await prepared(views, sql)).destroySync();
  const reader = await views.connection.runAndReadAll(copyStatement(sql, file)).catch(failedOver(views.runs));
  return Number(reader.getRowsJson()[0]?.[0] ?? 0);
}
