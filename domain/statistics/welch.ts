import { defaultLevel } from './interval.ts';
import { varies } from './rounding.ts';
import { mean, sampleVariance } from './spread.ts';
import { type TTest, tTest } from './student.ts';

/**
 * Welch's t-test of two independent samples with variances of their own (1947). Null where either has fewer than two values, or neither
 * varies: there is no scale to measure the difference by.
 */
export function welchTest(old: readonly number[], now: readonly number[], level = defaultLevel): TTest | null {
  const [variance0, variance1] = [sampleVariance(old), sampleVariance(now)];
  if (variance0 === null || variance1 === null || !(varies(old, variance0) || varies(now, variance1))) return null;
  const [part0, part1] = [variance0 / old.length, variance1 / now.length];
  const df = (part0 + part1) ** 2 / (part0 ** 2 / (old.length - 1) + part1 ** 2 / (now.length - 1));
  return tTest((mean(now) as number) - (mean(old) as number), Math.sqrt(part0 + part1), df, level);
}
