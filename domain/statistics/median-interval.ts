/** The median with an interval between two of the values themselves, whatever their distribution. */
import { bdtr, compiled } from 'cephes';
import { quantile } from './quantile.ts';
import { defaultLevel, type Interval, tailOf } from './intervals/interval.ts';

await compiled;

export const medianMethod = 'median, between order statistics (exact binomial)';

/**
 * Values outside the interval are, on each side, so few that the sign test rejects their number. Null interval where
 * even the least and the greatest value are too close to the middle: for fewer than 6 values at 0.95. It takes values
 * for independent. Example: of 1, 2, ..., 10 at 0.95 the median is 5.5, 2 to 9.
 * @param values not empty
 */
export function medianInterval(
  values: readonly number[],
  level = defaultLevel,
): { readonly value: number; readonly interval: Interval | null } {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  let outside = 0;
  while (outside < n / 2 && bdtr(outside, n, 0.5) <= tailOf(level)) outside += 1;
  const interval = outside === 0 ? null : { lo: sorted[outside - 1] as number, hi: sorted[n - outside] as number };
  return { value: quantile(sorted, 0.5), interval };
}
