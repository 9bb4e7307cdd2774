/** A study's tasks in groups, so that only a group's rows are in memory. */
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

/** Verdicts of a group whose rows JavaScript gets: about 100 MB. */
const verdictsAtATime = 100_000;

/** Where DuckDB groups them and gives a row a task: about as much. Each group opens the files of its tables again. */
export const groupedAtATime = 300_000;

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
  return rangesBetween(lastOfSlices(tasks, atATime));
}

/** The last task of each group but the last group. */
function lastOfSlices(tasks: readonly Row[], atATime: number): string[] {
  const lasts: string[] = [];
  let verdicts = 0;
  for (const task of tasks.slice(0, -1)) {
    verdicts += numberOf(task, 'n');
    if (verdicts < atATime) continue;
    lasts.push(textOf(task, 'task_id'));
    verdicts = 0;
  }
  return lasts;
}

/** As many conditions and one more. */
function rangesBetween(lasts: readonly string[]): string[] {
  const after = (last: string | undefined): string => (last === undefined ? 'true' : `task_id > ${quoteText(last)}`);
  const upTo = (last: string): string => `task_id <= ${quoteText(last)}`;
  return [...lasts.map((last, place) => `${after(lasts[place - 1])} AND ${upTo(last)}`), after(lasts.at(-1))];
}
