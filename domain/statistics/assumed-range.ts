import type { Interval } from './interval.ts';

/**
 * Between what bounds a value that was not seen may lie, where nothing limits it: as far beyond the most extreme
 * values on either side as these lie apart, and at least `least` from the mean. No interval of a mean without bounds
 * holds its level for every distribution (Bahadur and Savage 1956); with these bounds Gaffke's does for skewed,
 * heavy-tailed and mostly constant values, which Student's does not: `npm run bench -- gate`.
 * @param values at least one
 * @param least how far from the mean one task may lie, for all that is known before: keeps few or equal values from
 * proving anything
 */
export function assumedRange(values: readonly number[], least: number): Interval {
  let [lo, hi, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    lo = Math.min(lo, value);
    hi = Math.max(hi, value);
    sum += value;
  }
  const [apart, middle] = [hi - lo, sum / values.length];
  return { lo: Math.min(lo - apart, middle - least), hi: Math.max(hi + apart, middle + least) };
}
