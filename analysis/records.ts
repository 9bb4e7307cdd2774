import type { Json } from '@duckdb/node-api';
import type { Row } from '../schemas/tables.ts';
import type { QueryResult, RunDatabase } from './database.ts';
import { limitGarbage } from './rows/heap-garbage.ts';

/** The rows of a query by column name. */
export async function records(database: RunDatabase, sql: string): Promise<Row[]> {
  limitGarbage();
  const { columns, rows }: QueryResult = await database.query(sql);
  const names = columns.map(({ name }) => name);
  const found = rows as (readonly Json[] | Row)[];
  let before: Row = {};
  // In its place, since a large run has hundreds of thousands of rows and would hold each twice.
  for (const [index, row] of rows.entries()) {
    before = recordOf(names, row, before);
    found[index] = before;
  }
  return found as Row[];
}

/** A text as in the row before is the same one: most columns of a key have few. */
function recordOf(names: readonly string[], values: readonly Json[], before: Row): Row {
  const row: Record<string, Row[string]> = {};
  for (const [column, name] of names.entries()) {
    const value = values[column] as Row[string];
    row[name] = value === before[name] ? before[name] : value;
  }
  return row;
}
