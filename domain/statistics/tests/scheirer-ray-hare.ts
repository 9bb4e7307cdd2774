import { leastSquares } from '../least-squares.ts';
import { midRanks } from '../ranks/ranks.ts';
import { isConstant } from '../rounding.ts';
import { chiSquareTail } from '../special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** A value under two factors. */
export interface Crossed {
  readonly first: string;
  readonly second: string;
  readonly value: number;
}

/**
 * The interaction of two factors on ranks (Scheirer, Ray and Hare 1976): H = SS / MS, where SS is the sum of squares of
 * the mid-ranks explained by cell means beyond the two factors, and MS the total mean square; p from chi-square. Cells
 * may be empty and of any size.
 */
export function scheirerRayHare(values: readonly Crossed[]): TestResult & { readonly df: number } {
  const n = values.length;
  const none = (reason: string) => ({ ...undefinedTest(n, reason), df: 0 });
  if (n < 2) return none('fewer than two values');
  const ranks = midRanks(values.map(({ value }) => value));
  const total = leastSquares([ranks.map(() => 1)], ranks).residualSquares;
  if (isConstant(ranks)) return none('all values are equal');
  const factor = (name: (one: Crossed) => string): number[][] => {
    const names = values.map(name);
    return [...new Set(names)].map((level) => names.map((one) => (one === level ? 1 : 0)));
  };
  const sums = leastSquares([...factor(({ first }) => first), ...factor(({ second }) => second)], ranks);
  const cells = leastSquares(
    factor(({ first, second }) => JSON.stringify([first, second])),
    ranks,
  );
  const df = cells.rank - sums.rank;
  if (df === 0) return none('no two levels of one factor occur with the same two of the other');
  const h = Math.max(0, sums.residualSquares - cells.residualSquares) / (total / (n - 1));
  return { statistic: h, p: chiSquareTail(df, h), n, reason: null, df };
}
