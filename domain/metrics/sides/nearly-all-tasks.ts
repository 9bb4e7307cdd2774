/** Models whose values are of the same tasks but for a few: others would differ by their tasks, not by themselves. */
import { openShare } from './extremes.ts';

export interface ByTasks<T> {
  /** Over at least 99 % as many tasks as the one with the most; in the given order. */
  readonly nearlyAll: readonly T[];
  readonly fewer: readonly T[];
}

/** @param tasksOf number of tasks of a value, or of its parts */
export function byTasks<T>(values: readonly T[], tasksOf: (value: T) => number): ByTasks<T> {
  const most = Math.max(0, ...values.map(tasksOf));
  const isNearlyAll = (value: T): boolean => tasksOf(value) >= (1 - openShare) * most;
  return { nearlyAll: values.filter(isNearlyAll), fewer: values.filter((value) => !isNearlyAll(value)) };
}
