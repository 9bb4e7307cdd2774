import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { chiSquareQuantile, normalQuantile } from './special.ts';
import { mean, standardDeviation } from './spread.ts';

/** The method's name, as tables and reports show it. */
export const deviationMethod = 'chi-square with fewer degrees of freedom for kurtosis, and Bonett';

/** Bonett's interval needs five values. */
const fewestForBonett = 5;

/**
 * The interval of the standard deviation that values were drawn with, which may be means, shares or counts: from the lower to the upper end of two. Chi-square
 * with the degrees of freedom that the variance of s² has at an excess kurtosis g, 2 s⁴ / Var(s²) = (n - 1) / (1 + g (n - 1) / 2n); g is the values' own or that of
 * a count with as many steps of variance, step² / s², whichever is greater. And, of five values and more, Bonett's (2006), with the kurtosis around the trimmed mean. Chi-square as for normal values
 * holds 77 to 92 % of shares near 0 and 1, either of these alone 85 to 90 % of shares that are spread further than chance, both 93 %.
 * Values that are all equal may differ by less than they can show: the interval then ends where one value a step away from the others would put its end.
 * @param step the least by which two values can differ
 * Null for fewer than two values.
 */
export function deviationInterval(values: readonly number[], step: number, level = defaultLevel): Interval | null {
  const [n, deviation] = [values.length, standardDeviation(values)];
  if (deviation === null) return null;
  const tail = tailOf(level);
  const least = step / Math.sqrt(n);
  if (deviation < least * 1e-9) return { lo: 0, hi: chiSquareEnd(least, n - 1, tail) };
  const excess = Math.max((step / deviation) ** 2, kurtosis(values, mean(values) as number) - 3);
  const freedom = Math.max(1, (n - 1) / (1 + (excess * (n - 1)) / (2 * n)));
  const [lo, hi] = [chiSquareEnd(deviation, freedom, 1 - tail), chiSquareEnd(deviation, freedom, tail)];
  if (n < fewestForBonett) return { lo, hi };
  const other = bonett(values, deviation, tail);
  return { lo: Math.min(lo, other.lo), hi: Math.max(hi, other.hi) };
}

const chiSquareEnd = (deviation: number, freedom: number, share: number): number =>
  deviation * Math.sqrt(freedom / chiSquareQuantile(share, freedom));

/** n sum (x - centre)⁴ / (sum (x - mean)²)²: 3 of many normal values. */
function kurtosis(values: readonly number[], centre: number): number {
  const middle = mean(values) as number;
  const sum = (power: number, around: number): number => values.reduce((total, value) => total + (value - around) ** power, 0);
  return (values.length * sum(4, centre)) / sum(2, middle) ** 2;
}

function bonett(values: readonly number[], deviation: number, tail: number): Interval {
  const n = values.length;
  const cut = Math.floor(n / (2 * Math.sqrt(n - 4)));
  const trimmed = mean(values.toSorted((a, b) => a - b).slice(cut, n - cut)) as number;
  const z = normalQuantile(1 - tail);
  const small = n / (n - z);
  const error = Math.sqrt((kurtosis(values, trimmed) - (n - 3) / n) / (n - 1));
  const end = (sign: number): number => deviation * Math.sqrt(small * Math.exp(sign * z * small * error));
  return { lo: end(-1), hi: end(1) };
}
