/** Intervals of RobuNFR's estimates of one model and condition, each over tasks with all their phrasings, but STDEV's, which is over phrasings. */
import { averageInterval } from '../statistics/average-interval.ts';
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import { deviationInterval } from '../statistics/deviation-interval.ts';
import { defaultLevel, type Interval } from '../statistics/interval.ts';
import { mean } from '../statistics/spread.ts';
import type { PhrasingSpread, TaskParts } from './phrasing-values.ts';
import { type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import { linearContributions } from './task-contributions.ts';
import { changeBounds, type TaskRange } from './task-range.ts';

/** A task's parts with the requirement, and those of Function-Only. */
export interface TaskWithBaseline {
  readonly taskId: string;
  readonly own: TaskParts;
  readonly plain: TaskParts;
}

/** Of AVG: shares by the bounds of their tasks' parts in it, quotients and times by their linearised contributions. */
export function averageOverPhrasings(metric: SolutionMetricName, tasks: readonly TaskParts[], level = defaultLevel): Interval | null {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%')
    return averageInterval(
      withValues(tasks).map((parts) => parts.map((part) => part && scale * part.numerator)),
      { lo: 0, hi: scale },
      level,
    );
  const values = contributionsOf(metric, tasks).filter((value) => value !== null);
  return values.length === 0 ? null : atLeastZero(boundedMeanInterval(values, changeBounds(rangeOf(metric, values), 0, values), { level }));
}

/** Phrasings without any value have no part in AVG. */
function withValues(tasks: readonly TaskParts[]): TaskParts[] {
  const places = (tasks[0] ?? []).flatMap((_, place) => (tasks.some((parts) => parts[place] !== null) ? [place] : []));
  return places.length === 0 ? [] : tasks.map((parts) => places.map((place) => parts[place] ?? null));
}

const atLeastZero = (interval: Interval | null): Interval | null => interval && { lo: Math.max(0, interval.lo), hi: interval.hi };

/** Each task's contribution, whose mean is AVG; null where it has none. Of a share its own mean. */
export function contributionsOf(metric: SolutionMetricName, tasks: readonly TaskParts[]): (number | null)[] {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%') return tasks.map((parts) => mean(parts.flatMap((part) => (part === null ? [] : scale * part.numerator))));
  const found = new Map(
    linearContributions(
      tasks.map((parts) => ({ old: parts, now: parts })),
      scale,
    ).map(({ task, now }) => [task, now]),
  );
  return tasks.map((_, task) => found.get(task) ?? null);
}

/** Among the tasks that were not seen one may be ten times as slow; of a density one message more on every line. */
const slowest = 10;
export function rangeOf(metric: SolutionMetricName, values: readonly number[]): TaskRange {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%') return { kind: 'bounded', lo: 0, hi: scale };
  return { kind: 'assumed', least: unit === 'ms' ? (slowest - 1) * Math.max(1e-9, mean(values) ?? 0) : scale };
}

/** Of STDEV over phrasings. One solution more or less, or one message, is the least by which two phrasings can differ. */
export function spreadInterval(
  { stdev, values }: PhrasingSpread,
  tasks: readonly TaskParts[],
  scale: number,
  level = defaultLevel,
): Interval | null {
  const known = values.filter((value) => value !== null);
  const parts = tasks.flat().filter((part) => part !== null);
  const perPhrasing = parts.reduce((sum, { denominator }) => sum + denominator, 0) / known.length;
  return stdev === null ? null : deviationInterval(known, scale / perPhrasing, level);
}

/** Of the change of AVG in percent, from the tasks' contributions to both; null where either has none. */
export function changeInterval(
  metric: SolutionMetricName,
  own: readonly TaskParts[],
  plain: readonly TaskParts[],
  averages: { readonly own: number | null; readonly plain: number | null },
  level = defaultLevel,
): Interval | null {
  const { own: now, plain: before } = averages;
  if (now === null || before === null) return null;
  return percentInterval(metric, contributionsOf(metric, own), contributionsOf(metric, plain), { own: now, plain: before }, level);
}

/**
 * Of 100 (own / plain - 1): the interval of the mean over tasks of own - ratio x plain, which is 0 at the estimate, over plain (Fieller's equation, made
 * linear at the estimate). Null without a task in both, or where plain is 0.
 */
export function percentInterval(
  metric: SolutionMetricName,
  own: readonly (number | null)[],
  plain: readonly (number | null)[],
  averages: { readonly own: number; readonly plain: number },
  level = defaultLevel,
): Interval | null {
  if (averages.plain === 0) return null;
  const ratio = averages.own / averages.plain;
  const pairs = own.flatMap((value, task): (readonly [number, number])[] => {
    const other = plain[task] ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  if (pairs.length === 0) return null;
  const gaps = pairs.map(([value, other]) => value - ratio * other);
  const range = rangeOf(metric, pairs.flat());
  const interval = boundedMeanInterval(gaps, changeBounds(range, ratio, gaps), { level }) as Interval;
  const centre = mean(gaps) as number;
  const percent = (end: number): number => 100 * (ratio - 1 + (end - centre) / averages.plain);
  return { lo: Math.max(-100, percent(interval.lo)), hi: percent(interval.hi) };
}

/** Logarithm of a task's time with the requirement over that of Function-Only, each a mean over its parts above 0; null without both. */
export function logRatio({ own, plain }: Pick<TaskWithBaseline, 'own' | 'plain'>): number | null {
  const [after, before] = [meanLog(own), meanLog(plain)];
  return after === null || before === null ? null : after - before;
}

const meanLog = (parts: TaskParts): number | null =>
  mean(parts.flatMap((part) => (part === null || !(part.numerator > 0) ? [] : Math.log(part.numerator / part.denominator))));

export interface RatioOfTimes {
  /** Geometric mean over tasks; null without a task. */
  readonly ratio: number | null;
  readonly interval: Interval | null;
  readonly n: number;
}

/** One slow task weighs no more than any other: each goes in with the logarithm of its own ratio. */
export function ratioOfTimes(logs: readonly number[]): RatioOfTimes {
  if (logs.length === 0) return { ratio: null, interval: null, n: 0 };
  const { lo, hi } = boundedMeanInterval(logs, changeBounds({ kind: 'logTime' }, 1, logs)) as Interval;
  return { ratio: Math.exp(mean(logs) as number), interval: { lo: Math.exp(lo), hi: Math.exp(hi) }, n: logs.length };
}
