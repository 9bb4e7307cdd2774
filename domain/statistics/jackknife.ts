/** Intervals of statistics that are no means: correlations, variances, effect sizes. */
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { rounding } from './rounding.ts';
import { mean, sampleVariance } from './spread.ts';
import { studentQuantile } from './student.ts';

/** A scale on which the statistic is nearer to a normal one, and back. */
export interface Scale {
  readonly to: (value: number) => number;
  readonly from: (scaled: number) => number;
}

/** Of what is positive: variances, errors, ratios. */
export const logScale: Scale = { to: Math.log, from: Math.exp };

export const plainScale: Scale = { to: (value) => value, from: (scaled) => scaled };

export interface JackknifeOptions {
  readonly scale: Scale;
  /** The statistic's own range. */
  readonly bounds: Interval;
  /** Default 0.95. */
  readonly level?: number;
  /** Degrees of freedom that Student's t has less than there are groups; default 1. */
  readonly spent?: number;
}

/** Correlations and Cliff's delta: Fisher's z. */
export const correlationScale: JackknifeOptions = { scale: { to: Math.atanh, from: Math.tanh }, bounds: { lo: -1, hi: 1 } };

/** With more clusters these many groups of them are left out in turn. */
const mostGroups = 20;

/**
 * Tukey's jackknife (1958) over clusters: the statistic is computed again without each of them, and the spread of these values on `scale` gives the standard
 * error, with Student's t at groups - `spent` degrees of freedom, around the statistic and around what the jackknife takes off it as its bias (Quenouille): the interval
 * reaches from the lower of both to the upper, since either alone holds less than 93 % near the end of a range. Where they do not spread, or the statistic lies at the end of its range, the interval allows for as
 * many unseen clusters as could be missed with a chance of one tail, 1 - tail^(1 / clusters) of all, at the other end: it is never empty.
 * The whole range where the statistic is undefined without one of them. Null for fewer than three clusters, or where there is no statistic.
 */
export function jackknifeInterval<Cluster>(
  clusters: readonly Cluster[],
  statistic: (some: readonly Cluster[]) => number | null,
  { scale, bounds, level = defaultLevel, spent = 1 }: JackknifeOptions,
): Interval | null {
  const value = clusters.length < 3 ? null : statistic(clusters);
  if (value === null) return null;
  const groups = Math.min(mostGroups, clusters.length);
  const left = Array.from({ length: groups }, (_, out) => statistic(clusters.filter((_cluster, index) => index % groups !== out)));
  // Everything hangs on the cluster without which there is no statistic.
  if (left.some((one) => one === null)) return bounds;
  const scaled = (left as number[]).map(scale.to);
  const middle = scale.to(value);
  const spread = sampleVariance(scaled) as number;
  const least = unseenInterval(value, bounds, clusters.length, level);
  // Without a cluster the statistic comes to the end of its range: so may the truth.
  if (!Number.isFinite(spread)) return { lo: Math.min(least.lo, ...(left as number[])), hi: Math.max(least.hi, ...(left as number[])) };
  if (!Number.isFinite(middle) || Math.sqrt(spread) <= rounding * Math.max(1, Math.abs(middle))) return least;
  const error = Math.sqrt((spread * (groups - 1) ** 2) / groups);
  const half = studentQuantile(1 - tailOf(level), groups - spent) * error;
  const bias = (groups - 1) * ((mean(scaled) as number) - middle);
  const [lowest, highest] = [middle - Math.max(0, bias) - half, middle - Math.min(0, bias) + half];
  return { lo: Math.max(bounds.lo, scale.from(lowest)), hi: Math.min(bounds.hi, scale.from(highest)) };
}

/** What the statistic could be if some clusters that were not seen lay at either end of its range. */
function unseenInterval(value: number, { lo, hi }: Interval, clusters: number, level: number): Interval {
  const unseen = 1 - tailOf(level) ** (1 / clusters);
  return { lo: value - (value - lo) * unseen, hi: value + (hi - value) * unseen };
}
