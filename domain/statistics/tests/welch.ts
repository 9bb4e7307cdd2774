import { defaultLevel } from '../intervals/interval.ts';
import { greatest, rounding } from '../rounding.ts';
import { mean, standardDeviation } from '../spread.ts';
import { type TTest, tTest } from '../student.ts';

/**
 * Welch's t-test of two independent samples with unequal variances (1947). Null if either has fewer than two values, or
 * neither varies, so that the spread is unknown.
 */
export function welchTest(old: readonly number[], now: readonly number[], level = defaultLevel): TTest | null {
  const [deviation0, deviation1] = [standardDeviation(old), standardDeviation(now)];
  if (deviation0 === null || deviation1 === null) return null;
  const [error0, error1] = [deviation0 / Math.sqrt(old.length), deviation1 / Math.sqrt(now.length)];
  const standardError = Math.hypot(error0, error1);
  if (standardError <= rounding * Math.max(greatest(old), greatest(now))) return null;
  const [part0, part1] = [(error0 / standardError) ** 2, (error1 / standardError) ** 2];
  const df = 1 / (part0 ** 2 / (old.length - 1) + part1 ** 2 / (now.length - 1));
  return tTest((mean(now) as number) - (mean(old) as number), standardError, df, level);
}
