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
  // In its place, since a large run has hundreds of thousands of rows and would hold each twice.
  for (const [index, row] of rows.entries()) found[index] = recordOf(names, row);
  return found as Row[];
}

function recordOf(names: readonly string[], values: readonly Json[]): Row {
  const row: Record<string, Row[string]> = {};
  for (let column = 0; column < names.length; column += 1) row[names[column] as string] = values[column] as Row[string];
  return row;
}
