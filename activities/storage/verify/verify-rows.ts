/** Checks row counts and unique keys of a run's parts with DuckDB. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import { counted } from '../../../domain/counted.ts';
import { tables } from '../../../schemas/tables.ts';
import type { Table } from '../../../schemas/tables.ts';
import type { PartRecord } from '../ledger/records.ts';

export interface RowCheck {
  readonly count: number;
  readonly problems: readonly string[];
}

/** @param parts files whose bytes were already checked */
export async function verifyRows(runFolder: string, parts: readonly PartRecord[]): Promise<RowCheck> {
  // Each file is read once or twice, and the cache would hold all of them.
  const instance = await DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
  const connection = await instance.connect();
  try {
    const problems = await rowCountProblems(connection, runFolder, parts);
    for (const [name, ofTable] of Map.groupBy(parts, ({ table }) => table)) {
      problems.push(
        ...(await doubleKeys(
          connection,
          name,
          newestOfPages(ofTable).map(({ path, rows }) => ({ file: join(runFolder, path), rows })),
        )),
      );
    }
    return { count: parts.reduce((sum, { rows }) => sum + rows, 0), problems };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Files in one question: each takes a millisecond more alone. */
const filesAtOnce = 1_000;

async function rowCountProblems(
  connection: DuckDBConnection,
  runFolder: string,
  parts: readonly PartRecord[],
): Promise<string[]> {
  const found = new Map<string, number>();
  for (let from = 0; from < parts.length; from += filesAtOnce) {
    const files = parts.slice(from, from + filesAtOnce).map(({ path }) => quoted(join(runFolder, path)));
    const rows = await connection.runAndReadAll(
      `select file_name, num_rows::double from parquet_file_metadata([${files.join(', ')}])`,
    );
    for (const [file, count] of rows.getRows()) found.set(String(file), Number(count));
  }
  return parts.flatMap(({ path, rows }) => {
    const count = found.get(join(runFolder, path));
    return count === rows ? [] : [`${path} has ${count} rows, the manifest says ${rows}`];
  });
}

const quoted = (file: string): string => `'${file.replaceAll("'", "''")}'`;

/** Older revisions of a page have the same keys; only the newest counts. */
function newestOfPages(parts: readonly PartRecord[]): PartRecord[] {
  const newest = new Map<string, number>();
  for (const { page, revision } of parts) newest.set(page, Math.max(revision, newest.get(page) ?? revision));
  return parts.filter(({ page, revision }) => revision === newest.get(page));
}

interface FileRows {
  readonly file: string;
  readonly rows: number;
}

async function doubleKeys(connection: DuckDBConnection, name: string, files: readonly FileRows[]): Promise<string[]> {
  const table = Object.hasOwn(tables, name) ? (tables as Readonly<Record<string, Table>>)[name] : undefined;
  if (table === undefined) return [`table ${name} is unknown to this version of evenkeel; use a newer one to check it`];
  const list = files.map(({ file }) => quoted(file)).join(', ');
  const source = `read_parquet([${list}], union_by_name = true, hive_partitioning = false)`;
  const known = (await connection.runAndReadAll(`select * from ${source} limit 0`)).columnNames();
  // An earlier version may have had fewer columns in the key.
  const columns = table.key.filter((column) => known.includes(column));
  const key = columns.map((column) => `"${column}"`).join(', ');
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  if (!(await hasDoubleHash(connection, source, key, rows))) return [];
  const doubles = await firstNumber(
    connection,
    `select count(*)::double from (select 1 from ${source} group by ${key} having count(*) > 1)`,
  );
  return doubles === 0 ? [] : [`table ${name}: ${counted(doubles, 'duplicate key')} (${columns.join(', ')})`];
}

/** About 100 MB of hashes. */
const rowsAtOnce = 2_000_000;

/** Keys that are equal have equal hashes, so most tables need no look at the keys themselves, which are ten columns. */
async function hasDoubleHash(
  connection: DuckDBConnection,
  source: string,
  key: string,
  rows: number,
): Promise<boolean> {
  const passes = Math.max(1, Math.ceil(rows / rowsAtOnce));
  for (let pass = 0; pass < passes; pass += 1) {
    const doubles = await firstNumber(
      connection,
      `select count(*)::double from (
         select 1 from (select hash(${key}) as h from ${source}) where h % ${passes} = ${pass}
         group by h having count(*) > 1)`,
    );
    if (doubles > 0) return true;
  }
  return false;
}

async function firstNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  const rows = await connection.runAndReadAll(sql);
  return Number(rows.getRows()[0]?.[0]);
}
