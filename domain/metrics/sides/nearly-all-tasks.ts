/** Models whose values are of the same tasks but for a few: others would differ by their tasks, not by themselves. */
import { openShare } from './extremes.ts';

export interface ByTasks<T> {
  /** Over at least 99 % as many tasks as the one with the most; in the given order. */
  readonly nearlyAll: readonly T[];
  readonly fewer: readonly T[];
}

/**
 * The same where the tasks themselves are known: of all tasks that any of them has, since as many others would be other
 * tasks.
 * @param tasksOf ids of the tasks of a value
 */
export function bySharedTasks<T>(
  values: readonly T[],
  tasksOf: (value: T) => Pick<ReadonlySet<string>, 'size' | 'keys' | 'has'>,
): ByTasks<T> {
  const all = new Set(values.flatMap((value) => [...tasksOf(value).keys()]));
  const isNearlyAll = (value: T): boolean => tasksOf(value).size >= (1 - openShare) * all.size;
  return { nearlyAll: values.filter(isNearlyAll), fewer: values.filter((value) => !isNearlyAll(value)) };
}

/** @param tasksOf number of tasks of a value, or of its parts */
export function byTasks<T>(values: readonly T[], tasksOf: (value: T) => number): ByTasks<T> {
  const most = Math.max(0, ...values.map(tasksOf));
  const isNearlyAll = (value: T): boolean => tasksOf(value) >= (1 - openShare) * most;
  return { nearlyAll: values.filter(isNearlyAll), fewer: values.filter((value) => !isNearlyAll(value)) };
}
