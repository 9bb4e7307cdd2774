/** Which columns of tables that are not stored a query reads: what they are made from is read for these only. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Table, tables } from '../schemas/tables.ts';
import { inViews } from '../schemas/tables/in-views.ts';
import type { View } from './view.ts';
import { createTable } from './views.ts';

export interface ColumnsRead {
  /** Null if it cannot be told: then all of them. May hold columns that are not read. */
  of(sql: string): Promise<ReadonlySet<string> | null>;
}

/** Asks DuckDB for its plan over empty tables of these names, since a query may read columns without naming them. */
export function createColumnsRead(views: readonly View[]): ColumnsRead {
  let connection: Promise<DuckDBConnection> | undefined;
  const columns = new Set(views.flatMap(({ table }) => Object.keys(table.columns)));
  return {
    of: async (sql) => {
      connection ??= emptyTables(views);
      const plan = await planOf(await connection, sql);
      return plan === null ? null : new Set(plan.match(/\w+/g)?.filter((word) => columns.has(word)));
    },
  };
}

async function emptyTables(views: readonly View[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const all: readonly Table[] = [...Object.values(tables).map(inViews), ...views.map(({ table }) => table)];
  await connection.run(
    [
      ...all.map(createTable),
      // By the statistics of an empty table no filter lets a row through, so nothing would be read.
      "SET disabled_optimizers = 'statistics_propagation'",
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ].join(';\n'),
  );
  return connection;
}

/** Null for SQL that is wrong, or that has no plan: the error is told where it is run. */
async function planOf(connection: DuckDBConnection, sql: string): Promise<string | null> {
  try {
    const rows = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
    return rows
      .getRows()
      .map((row) => String(row.at(-1)))
      .join('\n');
  } catch {
    return null;
  }
}
