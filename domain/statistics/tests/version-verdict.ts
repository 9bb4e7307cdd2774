/** The verdict on one metric when two versions are compared. */
import type { Interval } from '../intervals/interval.ts';
import { rounding } from '../rounding.ts';

export type VersionVerdict = 'better' | 'worse' | 'no_change' | 'inconclusive';

/** The direction in which a metric is good. */
export type Direction = 'higher' | 'lower';

export interface VersionDifference {
  /** New minus old; null if either is missing. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Adjusted for the family; null if no test was possible. */
  readonly p: number | null;
}

export interface VerdictRule {
  readonly direction: Direction;
  /** Differences up to this size do not matter, in the metric's unit; 0: every difference matters. */
  readonly margin: number;
  /** Highest probability of a false alarm over the family. */
  readonly alpha: number;
}

/**
 * `no_change` if the whole interval lies within the margin, even if it excludes 0: a difference too small to matter
 * counts as none. Else `better` or `worse` if the difference is significant. Else `inconclusive`: more tasks would be
 * needed to decide.
 */
export function versionVerdict(
  { difference, interval, p }: VersionDifference,
  { direction, margin, alpha }: VerdictRule,
): VersionVerdict {
  if (difference === null) return 'inconclusive';
  const within = margin + rounding * Math.max(1, margin);
  if (interval !== null && interval.lo >= -within && interval.hi <= within) return 'no_change';
  if (p === null || p > alpha || difference === 0) return 'inconclusive';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}
