/** The interval of a mean of which some values are only known to lie between two ends. */
import { mean } from '../spread.ts';
import { boundedMeanInterval } from './bounded-mean.ts';
import { hullOf, type Interval } from './interval.ts';

/** Least and most of each value, in the same order. */
export interface OpenEnds {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

/** Whether a value is not known. */
export const isOpen = ({ least, most }: OpenEnds): boolean => least.some((value, place) => value !== most[place]);

/** The mean of the known values, or the nearest one that all may have. Null without a known one. */
export function possibleMean(known: readonly number[], { least, most }: OpenEnds): number | null {
  const estimate = mean(known);
  const [lo, hi] = [mean(least), mean(most)];
  return estimate === null || lo === null || hi === null ? estimate : Math.min(hi, Math.max(lo, estimate));
}

/**
 * From the lower end of the least values to the upper end of the most, and at least to the estimate, which may be of
 * the known ones alone. Null without an estimate or a value.
 * @param least by task, and `most` in the same order @param bounds of a value
 */
export function openMeanInterval(
  estimate: number | null,
  { least, most }: OpenEnds,
  bounds: Interval,
  level?: number,
): Interval | null {
  const options = level === undefined ? {} : { level };
  const [low, high] = [least, most].map((values) => boundedMeanInterval(values, bounds, options));
  return estimate === null || !low || !high
    ? null
    : hullOf({ lo: low.lo, hi: high.hi }, { lo: estimate, hi: estimate });
}
