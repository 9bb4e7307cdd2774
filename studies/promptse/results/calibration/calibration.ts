/**
 * Expected calibration error: whether a model's confidence matches its share of passed samples (Guo et al. 2017).
 */
import { type BootstrapOptions, percentileInterval } from '../../../../domain/statistics/intervals/bootstrap.ts';
import { defaultLevel, type Interval, tailOf } from '../../../../domain/statistics/intervals/interval.ts';
import { resampledByWeight } from '../../../../domain/statistics/intervals/resampled-weights.ts';
import { rounding } from '../../../../domain/statistics/rounding.ts';
import { normalQuantile } from '../../../../domain/statistics/special.ts';
import { studentQuantile } from '../../../../domain/statistics/student.ts';

/** Samples of one bin, added up. */
export interface ConfidenceBin {
  readonly n: number;
  /** Sum of their confidences, each in [0, 1]. */
  readonly confidence: number;
  readonly passed: number;
}

/** Sum over bins of n_b / N · |passed share - mean confidence|, in [0, 1]; null without samples. */
export function calibrationError(bins: readonly ConfidenceBin[]): number | null {
  const all = bins.reduce((sum, { n }) => sum + n, 0);
  return all === 0 ? null : bins.reduce((sum, { passed, confidence }) => sum + Math.abs(passed - confidence), 0) / all;
}

/** Samples of one task in one bin. */
export interface TaskBin extends ConfidenceBin {
  readonly task: string;
  /** From 0. */
  readonly bin: number;
}

export interface CalibrationEstimate {
  readonly value: number;
  readonly interval: Interval | null;
  /** Samples. */
  readonly n: number;
}

/** The method's name, as tables and reports show it. */
export const calibrationMethod =
  'bootstrap over tasks less its bias, widened as Student’s t is for few tasks, 2,000 resamples';

/**
 * The calibration error with an interval from a bootstrap over tasks. Chance increases every bin's gap, and a resample
 * adds chance again, so resampled values are too high: they are shifted by their mean distance from the estimate before
 * quantiles are taken. Resamples vary too little with few tasks, so distances from the estimate are multiplied by
 * Student's quantile over the normal one and by sqrt(n / (n - 1)). The ends always leave room for unseen tasks: without
 * that, coverage is 49 % with 5 tasks if nearly all tasks pass. The interval is for the expectation of this estimator
 * at this number of samples. Null for fewer than three tasks.
 */
export function calibrationEstimate(bins: readonly TaskBin[], options: BootstrapOptions): CalibrationEstimate | null {
  const tasks = binsByTask(bins);
  const value = errorOf(tasks, new Float64Array(tasks.length).fill(1));
  if (value === null) return null;
  const n = bins.reduce((sum, one) => sum + one.n, 0);
  return { value, interval: tasks.length < 3 ? null : intervalOf(tasks, value, options), n };
}

/** All bins, those of a task one after the other: a study has millions of resampled bins. */
interface BinsByTask {
  /** Number of tasks. */
  readonly length: number;
  /** Where the bins of each task end. */
  readonly ends: Int32Array;
  readonly bin: Int32Array;
  readonly n: Float64Array;
  /** Passed samples minus the sum of their confidences. */
  readonly gap: Float64Array;
  /** Sums by bin, which each resample sets. */
  readonly gaps: Float64Array;
}

function binsByTask(bins: readonly TaskBin[]): BinsByTask {
  const tasks = [...Map.groupBy(bins, ({ task }) => task).values()];
  const all = tasks.flat();
  let end = 0;
  return {
    length: tasks.length,
    ends: Int32Array.from(tasks, (own) => (end += own.length)),
    bin: Int32Array.from(all, ({ bin }) => bin),
    n: Float64Array.from(all, ({ n }) => n),
    gap: Float64Array.from(all, ({ passed, confidence }) => passed - confidence),
    gaps: new Float64Array(1 + bins.reduce((most, { bin }) => Math.max(most, bin), -1)),
  };
}

function intervalOf(tasks: BinsByTask, value: number, options: BootstrapOptions): Interval | null {
  const values = resampledByWeight(tasks.length, (times) => errorOf(tasks, times), options);
  const centre = values.reduce((sum, one) => sum + one, 0) / values.length;
  const interval = percentileInterval(values, options.level);
  if (interval === null) return null;
  const tail = tailOf(options.level ?? defaultLevel);
  const unseen = 1 - tail ** (1 / tasks.length);
  const least = { lo: value * (1 - unseen), hi: value + (1 - value) * unseen };
  if (interval.hi - interval.lo <= rounding) return least;
  const [df, n] = [tasks.length - 1, tasks.length];
  const wider = (studentQuantile(1 - tail, df) / normalQuantile(1 - tail)) * Math.sqrt(n / df);
  return {
    lo: Math.min(least.lo, Math.max(0, value + wider * (interval.lo - centre))),
    hi: Math.max(least.hi, Math.min(1, value + wider * (interval.hi - centre))),
  };
}

/** The error over tasks. @param times how often each task counts */
function errorOf({ ends, bin, n, gap, gaps }: BinsByTask, times: Float64Array): number | null {
  gaps.fill(0);
  let all = 0;
  for (let task = 0, place = 0; task < ends.length; task += 1) {
    const [weight, end] = [times[task] as number, ends[task] as number];
    if (weight === 0) place = end;
    for (; place < end; place += 1) {
      const own = bin[place] as number;
      gaps[own] = (gaps[own] as number) + weight * (gap[place] as number);
      all += weight * (n[place] as number);
    }
  }
  return all === 0 ? null : gaps.reduce((sum, one) => sum + Math.abs(one), 0) / all;
}
