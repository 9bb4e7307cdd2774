import { defaultLevel } from '../intervals/interval.ts';
import { isConstant } from '../rounding.ts';
import { mean, standardDeviation } from '../spread.ts';
import { type TTest, tTest } from '../student.ts';

/**
 * The paired t-test, on the differences new minus old of the same tasks. Null if there are fewer than two, or all are
 * equal, so that their spread is unknown.
 */
export function pairedTTest(differences: readonly number[], level = defaultLevel): TTest | null {
  const deviation = standardDeviation(differences);
  if (deviation === null || isConstant(differences)) return null;
  return tTest(mean(differences) as number, deviation / Math.sqrt(differences.length), differences.length - 1, level);
}
