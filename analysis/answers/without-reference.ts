/**
 * Tasks whose reference gives no output to compare with. Nobody can be judged on them, so they count for no model: not
 * at their worst, as other answers that could not be judged, and not where an answer without code would have failed.
 */
import { textOf } from '../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';

/** SQL condition on `verdicts`: a program that ran gets this outcome only from such a reference. */
export const isWithoutReference = "outcome = 'not_run' AND execution_id IS NOT NULL";

/** SQL: run, benchmark, suite and task_id of these tasks. Runs of early versions do not count the cases of a suite. */
export const withoutReferenceSql = `
  SELECT DISTINCT run, benchmark, suite, task_id FROM verdicts WHERE ${isWithoutReference}
  UNION SELECT run, benchmark, suite, task_id FROM suites WHERE n_cases_judged = 0 AND n_cases > 0`;

/** Ids of tasks by suite. */
export type TasksBySuite = ReadonlyMap<string, ReadonlySet<string>>;

/** In any of the runs. */
export async function tasksWithoutReference(
  database: RunDatabase,
  runIds: readonly string[],
  benchmark: string,
): Promise<TasksBySuite> {
  const rows = await records(
    database,
    `SELECT DISTINCT suite, task_id FROM (${withoutReferenceSql})
    WHERE run IN (${listed(runIds)}) AND benchmark = ${quoteText(benchmark)} ORDER BY ALL`,
  );
  const bySuite = Map.groupBy(rows, (row) => textOf(row, 'suite'));
  return new Map([...bySuite].map(([suite, own]) => [suite, new Set(own.map((row) => textOf(row, 'task_id')))]));
}

/** Of any suite. */
export const allTasks = (bySuite: TasksBySuite): Set<string> =>
  new Set([...bySuite.values()].flatMap((own) => [...own]));

/** SQL condition on rows with a suite and a task for all others. */
export const countsSql = (without: TasksBySuite): string =>
  [...without]
    .map(([suite, tasks]) => `NOT (suite = ${quoteText(suite)} AND task_id IN (${listed(tasks)}))`)
    .join(' AND ') || 'true';

const listed = (names: Iterable<string>): string => [...names].map(quoteText).join(', ');
