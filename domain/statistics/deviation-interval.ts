import { chiSquareQuantile } from './special.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';

/**
 * Chi-square interval of the standard deviation that n values were drawn with: s sqrt((n - 1) / quantile) on either side. Right for normal values; values here are
 * means over tasks, which come near to it. Values that are all equal may differ by less than they can show: `step` is the least by which two of them can
 * differ, and the interval then ends where one value a step away from the others would put its end.
 * Null for fewer than two values. Example: s = 1 of 10 values is 0.688 to 1.826.
 */
export function deviationInterval(deviation: number, n: number, step: number, level = defaultLevel): Interval | null {
  if (n < 2) return null;
  const tail = tailOf(level);
  const end = (s: number, share: number): number => s * Math.sqrt((n - 1) / chiSquareQuantile(share, n - 1));
  const least = step / Math.sqrt(n);
  if (deviation < least * 1e-9) return { lo: 0, hi: end(least, tail) };
  return { lo: end(deviation, 1 - tail), hi: end(deviation, tail) };
}
