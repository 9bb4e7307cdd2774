import type { Row } from '../../schemas/tables.ts';

/**
 * Share of the tasks of `cells` whose own reference passes all suites, from rows of table `suites`: the most that a
 * perfect model can reach. In [0, 1]; null if a task has no row in `suites`, since the ceiling is then unknown.
 */
export function referenceCeiling(cells: readonly Row[], suites: readonly Row[]): number | null {
  const taskName = (row: Row): string =>
    JSON.stringify([row['run'], row['benchmark'], row['task_id'], row['language']]);
  const outcomes = Map.groupBy(suites, taskName);
  const tasks = [...new Set(cells.map(taskName))];
  if (tasks.length === 0 || tasks.some((task) => !outcomes.has(task))) return null;
  const passed = tasks.filter((task) => outcomes.get(task)?.every((suite) => suite['reference_outcome'] === 'pass'));
  return passed.length / tasks.length;
}
