/** The possible range of a task's value in a metric, and so of its change from one version to the other. */
import { assumedRange } from '../statistics/intervals/assumed-range.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { mean } from '../statistics/spread.ts';
import type { TaskPair } from './phrasing-values.ts';
import { linearValues, meanValues, type Quotients, type SideParts, type SideValues } from './sides/side-values.ts';
import { type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import type { TaskContribution } from './task-contributions.ts';

/**
 * `bounded`: a value has bounds. `assumed`: only the change of an unseen task is assumed (`least`, in the metric's
 * unit). `logTime`: the value is the logarithm of a time, so differences are ratios.
 */
export type TaskRange =
  | { readonly kind: 'bounded'; readonly lo: number; readonly hi: number }
  | { readonly kind: 'assumed'; readonly least: number }
  | { readonly kind: 'logTime' };

/** An unseen task is assumed to be up to ten times as slow. */
const slowest = 10;

/**
 * Bounds of new - factor x old for any task.
 * @param changes those of the observed tasks; at least one
 */
export function changeBounds(range: TaskRange, factor: number, changes: readonly number[]): Interval {
  if (range.kind !== 'bounded') return valueBounds(range, changes);
  const olds = [factor * range.lo, factor * range.hi];
  return { lo: range.lo - Math.max(...olds), hi: range.hi - Math.min(...olds) };
}

/** The size of the terms of a value, as `difference` takes it; 0 if only the values themselves tell it. */
export function termSize(range: TaskRange): number {
  if (range.kind === 'bounded') return Math.max(Math.abs(range.lo), Math.abs(range.hi));
  return range.kind === 'logTime' ? 1 : 0;
}

/**
 * Bounds of any task's value; assumed ones are those of a change.
 * @param values those of the observed tasks; at least one
 */
export function valueBounds(range: TaskRange, values: readonly number[]): Interval {
  if (range.kind === 'bounded') return { lo: range.lo, hi: range.hi };
  return assumedRange(values, range.kind === 'logTime' ? Math.log(slowest) : range.least);
}

/** Each task's values on all sides, with their range. @param prompts of shares, see `meanValues` */
export function sideValues(
  metric: SolutionMetricName,
  tasks: readonly SideParts[],
  prompts?: readonly string[],
): { readonly range: TaskRange; readonly values: SideValues } {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%') return { range: { kind: 'bounded', lo: 0, hi: scale }, values: meanValues(tasks, scale, prompts) };
  const values = linearValues(tasks, scale);
  return { range: { kind: 'assumed', least: unit === 'ms' ? leastTime(values.values[0] ?? []) : scale }, values };
}

/** Each task's values in both versions, with their range. */
export function solutionValues(
  metric: SolutionMetricName,
  tasks: readonly TaskPair[],
): { readonly range: TaskRange; readonly values: readonly TaskContribution[]; readonly quotients?: Quotients } {
  const { range, values } = sideValues(
    metric,
    tasks.map(({ old, now }) => [old, now]),
  );
  const [old = [], now = []] = values.values;
  return {
    range,
    ...(values.quotients && { quotients: values.quotients }),
    values: values.tasks.map((task, place) => ({ task, old: old[place] as number, now: now[place] as number })),
  };
}

/** The assumed change of a time, from old times. (For a density it is one more message on every line: its scale.) */
function leastTime(olds: readonly number[]): number {
  const typical = mean(olds) ?? 0;
  return typical > 0 ? (slowest - 1) * typical : 1;
}
