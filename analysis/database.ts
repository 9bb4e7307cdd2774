/** DuckDB over the sealed parts of runs, read only: it works while the run goes on, and a query reaches nothing but these parts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type Json, StatementType } from '@duckdb/node-api';
import { CorruptionError, InputError } from '../domain/errors.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { type TableName, tables } from '../schemas/tables.ts';
import { damageOr } from './damaged-part.ts';
import { jsonValue } from './json-values.ts';
import { createPartTrust, type PartTrust } from './part-trust.ts';
import { currentParts, type ManifestPart, readRunFolder, type RunFolder } from './run-folder.ts';
import { quoteText, rowsSql, viewStatements } from './views.ts';

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values in column order; see json-values.ts. */
  readonly rows: readonly (readonly Json[])[];
}

export interface RunDatabase {
  readonly manifests: readonly Manifest[];
  /** SQL of one run's rows of a table without a column `run`, whose view has those of all runs: equal programs may have been measured in each. */
  rowsOf(table: TableName, run: string): string;
  /** One SELECT (also WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE). Throws `InputError` for anything else and for faults in the SQL. */
  query(sql: string): Promise<QueryResult>;
  /** Queries that are under way are answered first: DuckDB hangs or crashes when it is closed under one. */
  close(): void;
}

/** Opens one run folder or several; their rows are kept apart by column `run`. @param isWanted parts that are left out are not there */
export async function openRun(runFolders: string | readonly string[], isWanted?: (part: ManifestPart) => boolean): Promise<RunDatabase> {
  const open = (): Promise<OpenViews> => openViews([runFolders].flat(), isWanted);
  const all = [await open()];
  const underWay = new Set<Promise<QueryResult>>();
  const ask = async (sql: string): Promise<QueryResult> => {
    const current = all.at(-1) as OpenViews;
    try {
      return await query(current, sql);
    } catch (error) {
      // A run that goes on may have replaced parts since it was opened.
      if (!current.runs.some(hasMovedParts)) throw error;
      all.push(await open());
      return query(all.at(-1) as OpenViews, sql);
    }
  };
  const [{ runs }] = all as [OpenViews];
  return {
    manifests: runs.map((run) => run.manifest),
    rowsOf: (table, runId) =>
      rowsSql(
        tables[table],
        runs.filter(({ manifest }) => manifest.runId === runId),
      ),
    query: async (sql) => {
      const result = ask(sql);
      underWay.add(result);
      return result.finally(() => underWay.delete(result));
    },
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
  close(): void;
}

async function openViews(folders: readonly string[], isWanted?: (part: ManifestPart) => boolean): Promise<OpenViews> {
  const runs = await Promise.all(folders.map((folder) => readRunFolder(folder, isWanted)));
  refuseEqualNames(runs);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await connection.run([...viewStatements(runs), ...lockStatements(runs)].join(';\n'));
    return { runs, connection, trust: createPartTrust(runs), close };
  } catch (cause) {
    close();
    throw await damageOr(cause, runs);
  }
}

/** Rows are told apart by the run's name, which a copy of its folder has too. */
function refuseEqualNames(runs: readonly RunFolder[]): void {
  for (const [runId, [first, second]] of Map.groupBy(runs, ({ manifest }) => manifest.runId)) {
    if (second === undefined) continue;
    const remedy = 'name each run once, and give a copy on its own';
    throw new InputError(`holds run "${runId}", as ${first?.folder} does: their rows could not be told apart; ${remedy}`, {
      file: second.folder,
    });
  }
}

const hasMovedParts = ({ folder, manifest }: RunFolder): boolean => manifest.parts.some(({ path }) => !existsSync(join(folder, path)));

/** From here on only the parts can be read, nothing can be spilled or loaded, and no setting can be changed back. */
function lockStatements(runs: readonly RunFolder[]): string[] {
  const names = Object.keys(tables);
  const files = runs.flatMap(({ folder, manifest }) =>
    names.flatMap((name) => currentParts(manifest, name).map((part) => join(folder, part.path))),
  );
  return [
    "SET TimeZone = 'UTC'",
    "SET temp_directory = ''",
    // Each part is read once or twice: keeping what was read took 100 MB.
    'SET enable_external_file_cache = false',
    `SET allowed_paths = [${files.map(quoteText).join(', ')}]`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

async function query({ connection, runs, trust }: OpenViews, sql: string): Promise<QueryResult> {
  const failed = async (cause: unknown): Promise<never> => asInputError(await damageOr(cause, runs));
  const statement = await prepareSelect(connection, sql).catch(failed);
  await trust.check(sql);
  try {
    const result = await statement.runAndReadAll().catch(failed);
    const types = result.columnTypes();
    return {
      columns: result.columnNames().map((name, index) => ({ name, type: String(types[index]) })),
      rows: result.convertRows(jsonValue),
    };
  } finally {
    statement.destroySync();
  }
}

/** A part's own path is allowed to DuckDB, for writing too, so the kind of statement is what keeps the run unharmed. */
async function prepareSelect(connection: DuckDBConnection, sql: string) {
  if (sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\/|[\s;]/gm, '') === '') throw new InputError('the SQL is empty');
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1)
    throw new InputError(`one statement at a time, got ${statements.count} (PIVOT counts as two: give its columns with IN)`);
  const statement = await statements.prepare(0);
  if (statement.statementType === StatementType.SELECT) return statement;
  const kind = StatementType[statement.statementType];
  statement.destroySync();
  throw new InputError(`a run is read only: SELECT, WITH, FROM, DESCRIBE, SHOW and SUMMARIZE are allowed, not ${kind}`);
}

function asInputError(cause: unknown): never {
  if (cause instanceof InputError || cause instanceof CorruptionError) throw cause;
  throw new InputError(`SQL: ${cause instanceof Error ? cause.message : String(cause)}`);
}
