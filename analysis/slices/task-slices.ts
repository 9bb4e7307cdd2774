/** A study's tasks in groups, so that only a group's rows are in memory. */
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { rangesOf } from './row-slices.ts';

/** Verdicts of a group whose rows JavaScript gets: about 60 MB. */
const verdictsAtATime = 60_000;

/** Where DuckDB groups them and gives a row a task: about as much. Each group opens the files of its tables again. */
export const groupedAtATime = 150_000;

/**
 * SQL conditions for groups of about as many verdicts. In the order of the tasks, and together for all of them, also
 * for tasks without a verdict.
 * @param where SQL condition on `verdicts` @param atATime verdicts in a group
 */
export async function taskSlices(database: RunDatabase, where: string, atATime = verdictsAtATime): Promise<string[]> {
  const tasks = await records(
    database,
    `SELECT task_id, count(*)::INT AS n FROM verdicts WHERE ${where} GROUP BY ALL ORDER BY ALL`,
  );
  return rangesOf('task_id', tasks, atATime);
}
