/** The interval of a mean of which some values are only known to lie between two ends. */
import { boundedMeanInterval } from './bounded-mean.ts';
import { hullOf, type Interval } from './interval.ts';

/**
 * From the lower end of the least values to the upper end of the most, and at least to the estimate, which may be of
 * the known ones alone. Null without an estimate or a value.
 * @param least by task, and `most` in the same order @param bounds of a value
 */
export function openMeanInterval(
  estimate: number | null,
  { least, most }: { readonly least: readonly number[]; readonly most: readonly number[] },
  bounds: Interval,
  level?: number,
): Interval | null {
  const options = level === undefined ? {} : { level };
  const [low, high] = [least, most].map((values) => boundedMeanInterval(values, bounds, options));
  return estimate === null || !low || !high
    ? null
    : hullOf({ lo: low.lo, hi: high.hi }, { lo: estimate, hi: estimate });
}
