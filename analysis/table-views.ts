/**
 * Views over a run's tables, each made for the first query that names it: DuckDB opens every file of a view when it is
 * made, and a run may have hundreds for each of thirty tables. Until then a view has its columns and no row.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Table, type TableName, tables } from '../schemas/tables.ts';
import { createColumnsRead } from './columns-read.ts';
import { tablesRead, viewsIn } from './part-trust.ts';
import type { RunFolder } from './run-folder.ts';
import type { View } from './view.ts';
import { createView, rowsSql, statementOf, viewBody } from './views.ts';

export interface TableViews {
  /** Call before the SQL is prepared. @returns the names of the stored tables that it may read */
  define(sql: string): Promise<readonly string[]>;
}

/** Views without rows, and those that are not stored. */
export const emptyViews = (runs: readonly RunFolder[], views: readonly View[]): string[] => [
  ...Object.values(tables).map((table: Table) => createView(table, viewBody(table, []))),
  ...views.map((view) => statementOf(view, runs)),
];

/** @param replaced files that take the place of a table's parts */
export function createTableViews(
  connection: DuckDBConnection,
  runs: readonly RunFolder[],
  views: readonly View[],
  replaced: ReadonlyMap<TableName, readonly string[]>,
): TableViews {
  const manifests = runs.map(({ manifest }) => manifest);
  const defined = new Map<string, Promise<unknown>>();
  const define = (name: TableName): Promise<unknown> => {
    const files = replaced.get(name);
    const body = files === undefined ? rowsSql(tables[name], runs) : viewBody(tables[name], files);
    return connection.run(createView(tables[name], body));
  };
  const narrow = narrowViews(connection, runs, views);
  return {
    async define(sql) {
      const columns = await narrow(sql);
      const names = tablesRead(sql, manifests, views, columns);
      for (const name of names) {
        const made = defined.get(name) ?? define(name as TableName);
        defined.set(name, made);
        await made;
      }
      return names;
    },
  };
}

type Narrow = (sql: string) => Promise<ReadonlySet<string> | null>;

/**
 * Makes views that are not stored have the columns that the queries so far read, and gives back those that this one
 * does. A view never loses a column: an earlier query may still run.
 */
function narrowViews(connection: DuckDBConnection, runs: readonly RunFolder[], views: readonly View[]): Narrow {
  const read = createColumnsRead(views);
  /** Undefined before the first query; null: all. */
  let known: ReadonlySet<string> | null | undefined;
  return async (sql) => {
    if (viewsIn(sql, views).length === 0) return null;
    const columns = await read.of(sql);
    if (known === null || (known !== undefined && columns?.isSubsetOf(known))) return columns;
    known = columns === null ? null : columns.union(known ?? new Set());
    const wanted = known;
    await connection.run(views.map((view) => statementOf(view, runs, wanted)).join(';\n'));
    return columns;
  };
}
