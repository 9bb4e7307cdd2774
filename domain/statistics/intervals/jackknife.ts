/** Intervals of statistics that are not means: correlations, variances, effect sizes. */
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { rounding } from '../rounding.ts';
import { mean, sampleVariance } from '../spread.ts';
import { studentQuantile } from '../student.ts';

/** A transformation that makes the statistic more nearly normal, and its inverse. */
export interface Scale {
  readonly to: (value: number) => number;
  readonly from: (scaled: number) => number;
}

/** For positive statistics: variances, errors, ratios. */
export const logScale: Scale = { to: Math.log, from: Math.exp };

export const plainScale: Scale = { to: (value) => value, from: (scaled) => scaled };

export interface JackknifeOptions {
  readonly scale: Scale;
  /** The range of the statistic. */
  readonly bounds: Interval;
  /** Default 0.95. */
  readonly level?: number;
  /** Student's t has groups - `spent` degrees of freedom; default 1. */
  readonly spent?: number;
  /**
   * The interval also contains that around the bias-corrected statistic on its own range,
   * not on `scale`; default false.
   */
  readonly ownBias?: boolean;
  /** The standard error is taken around the statistic, not the mean: more cautious (Wolter 2007); default false. */
  readonly fromStatistic?: boolean;
  /**
   * The interval always allows for unobserved clusters at either end of the range (see below). Each weighs as much in
   * the statistic as this many mean clusters: 1 in a mean, more in a ratio with a small denominator. Default: 1, and
   * only where the values do not vary.
   */
  readonly unseenWeight?: number;
}

/** Correlations and Cliff's delta: Fisher's z. */
export const correlationScale: JackknifeOptions = {
  scale: { to: Math.atanh, from: Math.tanh },
  bounds: { lo: -1, hi: 1 },
};

/** If there are more clusters, this many groups of them are left out in turn. */
const mostGroups = 20;

/**
 * Tukey's jackknife (1958) over clusters: the statistic is recomputed without each of them, and the spread of these
 * values on `scale` gives the standard error, with Student's t at groups - `spent` degrees of freedom. The interval
 * contains those around the statistic and around its bias-corrected value (Quenouille), since each alone covers less
 * than 93 % near the end of a range. If the values do not vary, or the statistic lies at the end of its range, the
 * interval allows for unobserved clusters at the other end: as large a share as could be missed with the probability of
 * one tail, 1 - tail^(1 / clusters). So it is never empty. The interval is the whole range if the statistic is
 * undefined without one of the clusters. Null for fewer than three clusters, or if the statistic is undefined.
 */
export function jackknifeInterval<Cluster>(
  clusters: readonly Cluster[],
  statistic: (some: readonly Cluster[]) => number | null,
  options: JackknifeOptions,
): Interval | null {
  const { scale, bounds, level = defaultLevel, spent = 1, ownBias = false, fromStatistic = false } = options;
  const value = clusters.length < 3 ? null : statistic(clusters);
  if (value === null) return null;
  const groups = Math.min(mostGroups, clusters.length);
  const left = Array.from({ length: groups }, (_, out) =>
    statistic(clusters.filter((_cluster, index) => index % groups !== out)),
  );
  // The statistic is undefined without this cluster, so nothing is known about its spread.
  if (left.some((one) => one === null)) return bounds;
  const scaled = (left as number[]).map(scale.to);
  const middle = scale.to(value);
  const spread = sampleVariance(scaled) as number;
  const least = unseenInterval(value, clusters.length, options);
  // Without a cluster the statistic is at the end of its range, so the true value may be, too.
  if (!Number.isFinite(spread))
    return { lo: Math.min(least.lo, ...(left as number[])), hi: Math.max(least.hi, ...(left as number[])) };
  if (!Number.isFinite(middle) || Math.sqrt(spread) <= rounding * Math.max(1, Math.abs(middle))) return least;
  const bias = (groups - 1) * ((mean(scaled) as number) - middle);
  const error = Math.sqrt((spread * (groups - 1) ** 2) / groups + (fromStatistic ? bias ** 2 / (groups - 1) : 0));
  const half = studentQuantile(1 - tailOf(level), groups - spent) * error;
  const centres = [middle, middle - bias];
  if (ownBias) centres.push(scale.to(withoutBias(value, left as number[], bounds)));
  const [lowest, highest] = [Math.min(...centres) - half, Math.max(...centres) + half];
  const found = { lo: Math.max(bounds.lo, scale.from(lowest)), hi: Math.min(bounds.hi, scale.from(highest)) };
  return options.unseenWeight !== undefined
    ? { lo: Math.min(found.lo, least.lo), hi: Math.max(found.hi, least.hi) }
    : found;
}

/** The bias-corrected statistic on its own range, and limited to it. */
function withoutBias(value: number, left: readonly number[], { lo, hi }: Interval): number {
  const bias = (left.length - 1) * ((mean(left) as number) - value);
  return Math.min(hi, Math.max(lo, value - bias));
}

/** The values that the statistic could have if some unobserved clusters lay at either end of its range. */
function unseenInterval(
  value: number,
  clusters: number,
  { bounds: { lo, hi }, level = defaultLevel, unseenWeight = 1 }: JackknifeOptions,
): Interval {
  const share = 1 - tailOf(level) ** (1 / clusters);
  const unseen = (share * unseenWeight) / (1 - share + share * unseenWeight);
  return { lo: value - (value - lo) * unseen, hi: value + (hi - value) * unseen };
}
