/** Student's t distribution with any positive degrees of freedom. */
import { compiled, incbet, incbi } from 'cephes';
import { type Interval, tailOf } from './intervals/interval.ts';
import { normalQuantile, normalTail } from './special.ts';

await compiled;

export interface TTest {
  /** Mean of the new values minus mean of the old ones. */
  readonly difference: number;
  readonly t: number;
  /** Degrees of freedom. */
  readonly df: number;
  /** Two-sided. */
  readonly p: number;
  /** Of the difference, at the requested level. */
  readonly interval: Interval;
  readonly standardError: number;
}

/** Tests a difference whose standard error (positive) is estimated with `df` degrees of freedom. */
export function tTest(difference: number, standardError: number, df: number, level: number): TTest {
  const t = difference / standardError;
  const half = standardError * studentQuantile(1 - tailOf(level), df);
  return {
    difference,
    t,
    df,
    p: twoSidedP(t, df),
    interval: { lo: difference - half, hi: difference + half },
    standardError,
  };
}

/**
 * From this many degrees of freedom, the incomplete beta function loses digits and its inverse fails; Wallace's normal
 * approximation (1959) is correct to seven digits or more.
 */
const nearlyNormal = 20_000;

/** P(|T| >= |t|). */
export function twoSidedP(t: number, df: number): number {
  if (df < nearlyNormal) return incbet(df / 2, 0.5, df / (df + t * t));
  return 2 * normalTail(((8 * df + 1) / (8 * df + 3)) * Math.sqrt(df * Math.log1p((t * t) / df)));
}

/** The t with P(T <= t) = p, 0 < p < 1. */
export function studentQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1 && df > 0)) throw new Error(`studentQuantile needs 0 < p < 1 and df > 0, got ${p} and ${df}`);
  if (p === 0.5) return 0;
  if (df >= nearlyNormal) {
    const z = normalQuantile(p) * ((8 * df + 3) / (8 * df + 1));
    return Math.sign(z) * Math.sqrt(df * Math.expm1((z * z) / df));
  }
  const x = incbi(df / 2, 0.5, 2 * Math.min(p, 1 - p));
  return Math.sign(p - 0.5) * Math.sqrt(df * (1 / x - 1));
}
