/** What a comparison of two versions says about one metric. */
import type { Interval } from './interval.ts';
import { rounding } from './rounding.ts';

export type VersionVerdict = 'better' | 'worse' | 'no_change' | 'inconclusive';

/** Which way a metric is good. */
export type Direction = 'higher' | 'lower';

export interface VersionDifference {
  /** New minus old; null where either could not be had. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Adjusted for the family; null where no test could be made. */
  readonly p: number | null;
}

export interface VerdictRule {
  readonly direction: Direction;
  /** Differences up to this size do not matter, in the metric's unit; 0 when every difference does. */
  readonly margin: number;
  /** Most chance of a false alarm over the family. */
  readonly alpha: number;
}

/**
 * `no_change` when the whole interval lies within the margin, though it may exclude 0: a difference too small to matter is none. Else
 * `better` or `worse` when the difference is significant. Else `inconclusive`: more tasks would be needed to tell.
 */
export function versionVerdict({ difference, interval, p }: VersionDifference, { direction, margin, alpha }: VerdictRule): VersionVerdict {
  if (difference === null) return 'inconclusive';
  const within = margin + rounding * Math.max(1, margin);
  if (interval !== null && interval.lo >= -within && interval.hi <= within) return 'no_change';
  if (p === null || p > alpha || difference === 0) return 'inconclusive';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}
