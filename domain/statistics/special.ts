/** Special functions, from the Cephes library compiled to WebAssembly. */
import { chdtrc, chdtri, compiled, incbet, kolmogorov, ndtr, ndtri } from 'cephes';

await compiled;

/** Quantile of the standard normal distribution: the z with P(Z <= z) = p. `p` is in (0, 1); anything else throws. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new Error(`normalQuantile needs a probability between 0 and 1, got ${p}`);
  return ndtri(p);
}

/** P(Z > z) of the standard normal distribution. */
export const normalTail = (z: number): number => ndtr(-z);

/** Cephes reports values below e to this power as an underflow error. */
const leastExponent = -705;

/** P(X > x) of the chi-square distribution; the smallest positive number if it is too small to represent. */
export function chiSquareTail(degrees: number, x: number): number {
  // Chernoff's bound for the tail on x's side of the mean.
  const exponent = (degrees - x + degrees * Math.log(x / degrees)) / 2;
  if (exponent < leastExponent) return x > degrees ? Number.MIN_VALUE : 1;
  return chdtrc(degrees, x);
}

/** The x with P(X <= x) = p of the chi-square distribution; 0 < p < 1. */
export const chiSquareQuantile = (p: number, degrees: number): number => chdtri(degrees, 1 - p);

/** P(X > x) of Fisher's F distribution; x >= 0. */
export const fisherTail = (df1: number, df2: number, f: number): number =>
  incbet(df2 / 2, df1 / 2, df2 / (df2 + df1 * f));

/** P(K > x) of Kolmogorov's limiting distribution; 1 for x <= 0. */
export const kolmogorovTail = (x: number): number => (x <= 0 ? 1 : kolmogorov(x));
