/** What is known of one task's value in a metric, and so of its change from one version to the other. */
import { assumedRange } from '../statistics/assumed-range.ts';
import type { Interval } from '../statistics/interval.ts';
import type { TaskPair } from './phrasing-values.ts';
import { type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import { linearContributions, type TaskContribution, taskMeans } from './task-contributions.ts';

/**
 * Bounds of a value; or nothing but how far a task may change that was not seen (`least`, in the metric's unit); or
 * that it is the logarithm of a time, whose differences are ratios.
 */
export type TaskRange =
  | { readonly kind: 'bounded'; readonly lo: number; readonly hi: number }
  | { readonly kind: 'assumed'; readonly least: number }
  | { readonly kind: 'logTime' };

/** Among the tasks that were not seen one may always be ten times as slow. */
const slowest = 10;

/**
 * Between which bounds new - factor x old lies for any task. @param changes those of the tasks that were seen; at
 * least one
 */
export function changeBounds(range: TaskRange, factor: number, changes: readonly number[]): Interval {
  if (range.kind === 'logTime') return assumedRange(changes, Math.log(slowest));
  if (range.kind === 'assumed') return assumedRange(changes, range.least);
  const olds = [factor * range.lo, factor * range.hi];
  return { lo: range.lo - Math.max(...olds), hi: range.hi - Math.min(...olds) };
}

/** Each task's values in both versions, with what is known of them. */
export function solutionValues(
  metric: SolutionMetricName,
  tasks: readonly TaskPair[],
): { readonly range: TaskRange; readonly values: readonly TaskContribution[] } {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%') return { range: { kind: 'bounded', lo: 0, hi: scale }, values: taskMeans(tasks, scale) };
  const values = linearContributions(tasks, scale);
  return { range: { kind: 'assumed', least: unit === 'ms' ? leastTime(values) : scale }, values };
}

/** Of a density it is one message more on every line: its scale. */
function leastTime(values: readonly TaskContribution[]): number {
  const sum = values.reduce((total, { old }) => total + old, 0);
  return sum > 0 ? ((slowest - 1) * sum) / values.length : 1;
}
