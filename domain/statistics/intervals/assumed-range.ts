import type { Interval } from './interval.ts';

/**
 * Assumed bounds of an unobserved value that has none: on either side as far beyond the most extreme values as these
 * lie apart, and at least `least` from the mean. Without bounds, no interval of a mean holds its level for every
 * distribution (Bahadur and Savage 1956). With these bounds Gaffke's interval does for skewed, heavy-tailed and mostly
 * constant values, and Student's does not: `npm run bench -- gate`.
 * @param values at least one
 * @param least how far from the mean one task may lie, chosen before looking at the values, so that few or equal values
 * cannot prove anything
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
