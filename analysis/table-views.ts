/**
 * Views over a run's tables, each made for the first query that names it: DuckDB opens every file of a view when it is
 * made, and a run may have hundreds for each of thirty tables. Until then a view has its columns and no row.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Table, type TableName, tables } from '../schemas/tables.ts';
import { tablesRead } from './part-trust.ts';
import type { RunFolder } from './run-folder.ts';
import type { View } from './view.ts';
import { createView, rowsSql, statementOf, viewBody } from './views.ts';

export interface TableViews {
  /** Call before the SQL is prepared. */
  define(sql: string): Promise<void>;
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
  return {
    async define(sql) {
      for (const name of tablesRead(sql, manifests, views)) {
        const made = defined.get(name) ?? define(name as TableName);
        defined.set(name, made);
        await made;
      }
    },
  };
}
