/** The beta distribution, from the incomplete beta function of Cephes. */
import { compiled, incbi } from 'cephes';

await compiled;

/** The x with P(X <= x) = p for X ~ Beta(a, b); a and b are positive, p is in (0, 1). */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p > 0 && p < 1 && a > 0 && b > 0))
    throw new Error(`betaQuantile needs 0 < p < 1, a > 0, b > 0, got ${p}, ${a}, ${b}`);
  return incbi(a, b, p);
}
