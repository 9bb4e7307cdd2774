/**
 * Views over a run's tables, each made for the first query that names it: DuckDB opens every file of a view when it is
 * made, and a run may have hundreds for each of thirty tables. Until then a view has its columns and no row.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Manifest } from '../schemas/manifest.ts';
import { type Table, type TableName, tables } from '../schemas/tables.ts';
import { createColumnsRead } from './columns-read.ts';

import type { RunFolder } from './run-folder.ts';
import { fileTablesOf, type TablesRead, tablesRead, viewsIn } from './rows/tables-read.ts';
import type { View, ViewFacts } from './view.ts';
import { createView, rowsSql, runsBody, statementOf } from './views.ts';

export interface TableViews {
  /** Call before the SQL is prepared. @returns the names of the stored tables that it may read */
  define(sql: string): Promise<readonly string[]>;
}

/** Views without rows, and those that are not stored. */
export const emptyViews = (runs: readonly RunFolder[], views: readonly View[]): string[] => [
  ...Object.values(tables).map((table: Table) => createView(table, runsBody(table, []))),
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
  const files = fileTablesOf(runs);
  const defined = new Map<string, Promise<unknown>>();
  const define = (name: TableName): Promise<unknown> => {
    const others = replaced.get(name);
    const body =
      others === undefined
        ? rowsSql(tables[name], runs)
        : runsBody(tables[name], [{ runId: runs[0]?.manifest.runId ?? '', files: others }]);
    return connection.run(createView(tables[name], body));
  };
  const defineAll = async ({ named, byFile }: TablesRead): Promise<readonly string[]> => {
    for (const name of named) {
      const made = defined.get(name) ?? define(name as TableName);
      defined.set(name, made);
      await made;
    }
    return [...named, ...byFile];
  };
  const ask = async (sql: string): Promise<ViewFacts> => {
    await defineAll(tablesRead(sql, files, manifests, [], null));
    const [row] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    return row as ViewFacts;
  };
  // A row may have been made from rows of a table that is replaced.
  const factsOf = replaced.size === 0 ? askOnce(ask, manifests) : async () => new Map<View, ViewFacts>();
  const narrow = narrowViews(connection, runs, views, factsOf);
  return {
    async define(sql) {
      const { columns, facts } = await narrow(sql);
      return defineAll(tablesRead(sql, files, manifests, views, columns, facts));
    },
  };
}

type FactsOf = (views: readonly View[], columns: ReadonlySet<string> | null) => Promise<ReadonlyMap<View, ViewFacts>>;

/** What the rows have said so far, for views whose SQL depends on it. The files of a database do not change. */
function askOnce(ask: (sql: string) => Promise<ViewFacts>, manifests: readonly Manifest[]): FactsOf {
  const answers = new Map<string, Promise<ViewFacts>>();
  const known = new Map<View, ViewFacts>();
  return async (views, columns) => {
    for (const view of views) {
      const sql = view.facts?.(manifests, columns) ?? null;
      if (sql === null) continue;
      const answer = answers.get(sql) ?? ask(sql);
      answers.set(sql, answer);
      known.set(view, { ...known.get(view), ...(await answer) });
    }
    return known;
  };
}

interface Narrowed {
  readonly columns: ReadonlySet<string> | null;
  readonly facts: ReadonlyMap<View, ViewFacts>;
}

type Narrow = (sql: string) => Promise<Narrowed>;

/**
 * Makes views that are not stored have the columns that the queries so far read, and gives back those that this one
 * does. A view never loses a column: an earlier query may still run.
 */
function narrowViews(
  connection: DuckDBConnection,
  runs: readonly RunFolder[],
  views: readonly View[],
  factsOf: FactsOf,
): Narrow {
  const read = createColumnsRead(views);
  /** Undefined before the first query; null: all. */
  let known: ReadonlySet<string> | null | undefined;
  return async (sql) => {
    const named = viewsIn(sql, views);
    if (named.length === 0) return { columns: null, facts: new Map() };
    const columns = await read.of(sql);
    const facts = await factsOf(named, columns);
    const narrowed = { columns, facts };
    if (known === null || (known !== undefined && columns?.isSubsetOf(known))) return narrowed;
    known = columns === null ? null : columns.union(known ?? new Set());
    const wanted = known;
    await connection.run(views.map((view) => statementOf(view, runs, wanted, facts.get(view))).join(';\n'));
    return narrowed;
  };
}
