import { excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';

/**
 * Share of the tasks of `cells` whose own reference passes all suites, from rows of table `suites`: the most that a
 * perfect model can reach, unless a reference is wrong. A task that has no reference, or one that could not be judged,
 * is left out, as such answers are from rates. In [0, 1]; null if no task is left, or a task has no row in `suites`:
 * the ceiling is then unknown.
 */
export function referenceCeiling(cells: readonly Row[], suites: readonly Row[]): number | null {
  const taskName = (row: Row): string =>
    JSON.stringify([row['run'], row['benchmark'], row['task_id'], row['language']]);
  const outcomes = Map.groupBy(suites, taskName);
  const tasks = [...new Set(cells.map(taskName))].map((task) => outcomes.get(task));
  if (tasks.some((task) => task === undefined)) return null;
  const passes = tasks.map((task = []) => passesAll(task)).filter((passed) => passed !== null);
  return passes.length === 0 ? null : passes.filter(Boolean).length / passes.length;
}

/** Null if it is not known: suites that could not be judged are all that it does not pass. */
function passesAll(suites: readonly Row[]): boolean | null {
  const failures = suites.map((row) => row['reference_outcome'] as Outcome).filter((outcome) => outcome !== 'pass');
  if (failures.length === 0) return true;
  return failures.every((outcome) => excludedOutcomes.has(outcome)) ? null : false;
}
