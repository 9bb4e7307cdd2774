/** A study's models in groups, so that only a group's rows are in memory. */
import type { TableName } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { rangesOf, storedRows } from './row-slices.ts';

/** About 30 MB where JavaScript gets a few columns. Each group opens the files of its tables again. */
export const rowsAtATime = 60_000;

/**
 * SQL conditions for groups of models that have about as many rows of a table. In the order of the models, and together
 * for all of them, also for those without a row. A small run is one group, and nothing is asked.
 * @param where SQL condition on the table @param atATime rows in a group
 */
export async function modelSlices(
  database: RunDatabase,
  table: TableName,
  where: string,
  atATime = rowsAtATime,
): Promise<string[]> {
  if (storedRows(database, table) <= atATime) return ['true'];
  const models = await records(
    database,
    `SELECT model, count(*)::INT AS n FROM ${table} WHERE ${where} GROUP BY ALL ORDER BY ALL`,
  );
  return rangesOf('model', models, atATime);
}
