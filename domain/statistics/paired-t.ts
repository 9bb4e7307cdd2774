import { defaultLevel } from './interval.ts';
import { varies } from './rounding.ts';
import { mean, sampleVariance } from './spread.ts';
import { type TTest, tTest } from './student.ts';

/**
 * The paired t-test, on the differences new minus old of the same tasks. Null where there are fewer than two, or all are equal: there is no
 * scale to measure them by.
 */
export function pairedTTest(differences: readonly number[], level = defaultLevel): TTest | null {
  const variance = sampleVariance(differences);
  if (variance === null || !varies(differences, variance)) return null;
  return tTest(mean(differences) as number, Math.sqrt(variance / differences.length), differences.length - 1, level);
}
