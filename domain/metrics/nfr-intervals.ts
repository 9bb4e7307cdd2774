/**
 * Intervals of RobuNFR's estimates for one model and condition. All are over tasks with all their phrasings, except
 * STDEV's, which is over phrasings.
 */
import { averageInterval } from '../statistics/intervals/average-interval.ts';
import { boundedMeanInterval } from '../statistics/intervals/bounded-mean.ts';
import { deviationInterval } from '../statistics/intervals/deviation-interval.ts';
import { defaultLevel, type Interval } from '../statistics/intervals/interval.ts';
import { mean } from '../statistics/spread.ts';
import type { PhrasingSpread, TaskParts } from './phrasing-values.ts';
import { type SolutionMetric, type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import { linearContributions } from './task-contributions.ts';
import { changeBounds, type TaskRange } from './task-range.ts';

/** A task's parts with the requirement, and those under Function-Only. */
export interface TaskWithBaseline {
  readonly taskId: string;
  readonly own: TaskParts;
  readonly plain: TaskParts;
}

/** Interval of AVG: of shares from the tasks' bounded parts, of quotients and times from linearised contributions. */
export function averageOverPhrasings(
  metric: SolutionMetricName,
  tasks: readonly TaskParts[],
  level = defaultLevel,
): Interval | null {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%')
    return averageInterval(
      withValues(tasks).map((parts) => parts.map((part) => part && scale * part.numerator)),
      { lo: 0, hi: scale },
      level,
    );
  const values = contributionsOf(metric, tasks).filter((value) => value !== null);
  return values.length === 0
    ? null
    : atLeastZero(boundedMeanInterval(values, changeBounds(rangeOf(metric, values), 0, values), { level }));
}

/** Removes phrasings without any value, which do not enter AVG. */
function withValues(tasks: readonly TaskParts[]): TaskParts[] {
  const places = (tasks[0] ?? []).flatMap((_, place) => (tasks.some((parts) => parts[place] !== null) ? [place] : []));
  return places.length === 0 ? [] : tasks.map((parts) => places.map((place) => parts[place] ?? null));
}

const atLeastZero = (interval: Interval | null): Interval | null =>
  interval && { lo: Math.max(0, interval.lo), hi: interval.hi };

/** Each task's contribution; their mean is AVG. Null if a task has none. For a share it is the task's mean. */
export function contributionsOf(metric: SolutionMetricName, tasks: readonly TaskParts[]): (number | null)[] {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%')
    return tasks.map((parts) => mean(parts.flatMap((part) => (part === null ? [] : scale * part.numerator))));
  const found = new Map(
    linearContributions(
      tasks.map((parts) => ({ old: parts, now: parts })),
      scale,
    ).map(({ task, now }) => [task, now]),
  );
  return tasks.map((_, task) => found.get(task) ?? null);
}

/** An unseen task may be ten times as slow; in a density, it may have one more message on every line. */
const slowest = 10;
export function rangeOf(metric: SolutionMetricName, values: readonly number[]): TaskRange {
  const { scale, unit } = solutionMetrics[metric];
  if (unit === '%') return { kind: 'bounded', lo: 0, hi: scale };
  return { kind: 'assumed', least: unit === 'ms' ? (slowest - 1) * Math.max(1e-9, mean(values) ?? 0) : scale };
}

/**
 * Interval of STDEV over phrasings. Two phrasings differ by at least one solution or one message. Shares lie between 0
 * and `scale`, so their distribution has a standard deviation of at most half of that.
 */
export function spreadInterval(
  { stdev, values }: PhrasingSpread,
  tasks: readonly TaskParts[],
  { scale, unit }: Pick<SolutionMetric, 'scale' | 'unit'>,
  level = defaultLevel,
): Interval | null {
  const known = values.filter((value) => value !== null);
  const parts = tasks.flat().filter((part) => part !== null);
  const perPhrasing = parts.reduce((sum, { denominator }) => sum + denominator, 0) / known.length;
  const found = stdev === null ? null : deviationInterval(known, scale / perPhrasing, level);
  if (found === null || stdev === null || unit !== '%') return found;
  // That of a few values may be greater.
  return { lo: found.lo, hi: Math.min(found.hi, Math.max(scale / 2, stdev)) };
}

/** Interval of AVG's change in percent, from the tasks' contributions to both; null if either is missing. */
export function changeInterval(
  metric: SolutionMetricName,
  own: readonly TaskParts[],
  plain: readonly TaskParts[],
  averages: { readonly own: number | null; readonly plain: number | null },
  level = defaultLevel,
): Interval | null {
  const { own: now, plain: before } = averages;
  if (now === null || before === null) return null;
  return percentInterval(
    metric,
    contributionsOf(metric, own),
    contributionsOf(metric, plain),
    { own: now, plain: before },
    level,
  );
}

/**
 * Interval of 100 (own / plain - 1): the interval of the mean over tasks of own - ratio x plain, which is 0 at the
 * estimate, divided by plain (Fieller's equation, linearised at the estimate). Null if no task has both, or plain is 0.
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

/**
 * Logarithm of a task's time with the requirement / its time under Function-Only, each a mean over logarithms of its
 * times above 0; null if either is missing.
 */
export function logRatio({ own, plain }: Pick<TaskWithBaseline, 'own' | 'plain'>): number | null {
  const [after, before] = [meanLog(own), meanLog(plain)];
  return after === null || before === null ? null : after - before;
}

const meanLog = (parts: TaskParts): number | null =>
  mean(
    parts.flatMap((part) =>
      part === null || !(part.numerator > 0) ? [] : Math.log(part.numerator / part.denominator),
    ),
  );

export interface RatioOfTimes {
  /** Geometric mean over tasks; null without a task. */
  readonly ratio: number | null;
  readonly interval: Interval | null;
  readonly n: number;
}

/** A slow task weighs no more than any other: each enters with the logarithm of its ratio. */
export function ratioOfTimes(logs: readonly number[]): RatioOfTimes {
  if (logs.length === 0) return { ratio: null, interval: null, n: 0 };
  const { lo, hi } = boundedMeanInterval(logs, changeBounds({ kind: 'logTime' }, 1, logs)) as Interval;
  return { ratio: Math.exp(mean(logs) as number), interval: { lo: Math.exp(lo), hi: Math.exp(hi) }, n: logs.length };
}
