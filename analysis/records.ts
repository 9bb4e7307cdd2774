import type { Row } from '../schemas/tables.ts';
import type { QueryResult, RunDatabase } from './database.ts';

/** The rows of a query by column name. */
export async function records(database: RunDatabase, sql: string): Promise<Row[]> {
  const { columns, rows }: QueryResult = await database.query(sql);
  return rows.map(
    (row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] as Row[string]])) as Row,
  );
}
