import { shareOfOneDeal } from './permutation.ts';
import { midRanks, tieCubes } from '../ranks/ranks.ts';
import { normalTail } from '../special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** p is exact if a group has at most this size and no values are equal, as in SciPy. */
const exactUpTo = 8;

/**
 * The Mann-Whitney U of the first group. p is exact if one group is small and no values are equal; else from the normal
 * approximation with correction for ties and continuity, but not below the smallest p possible with so few values; 1 if
 * all values are equal.
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): TestResult {
  const [n1, n2] = [first.length, second.length];
  const n = n1 + n2;
  if (n1 === 0 || n2 === 0) return undefinedTest(n, 'a group has no values');
  const ranks = midRanks([...first, ...second]);
  const ties = tieCubes(ranks);
  const u = ranks.slice(0, n1).reduce((sum, rank) => sum + rank, 0) - (n1 * (n1 + 1)) / 2;
  const variance = ((n1 * n2) / 12) * (n + 1 - ties / (n * (n - 1)));
  if (Math.min(n1, n2) <= exactUpTo && ties === 0)
    return { statistic: u, p: exactP(Math.min(u, n1 * n2 - u), n1, n2), n, reason: null };
  if (variance <= 0) return { statistic: u, p: 1, n, reason: null };
  const z = (Math.max(u, n1 * n2 - u) - (n1 * n2) / 2 - 0.5) / Math.sqrt(variance);
  return { statistic: u, p: Math.min(1, 2 * Math.max(normalTail(z), shareOfOneDeal([n1, n2]))), n, reason: null };
}

/**
 * Twice the share of the orders of n1 and n2 values in which U is at most `u`, the smaller of its two sides. Uses the
 * coefficients of the Gaussian binomial, factor by factor, counted from the small end to avoid cancellation.
 */
function exactP(u: number, n1: number, n2: number): number {
  const [small, large] = n1 < n2 ? [n1, n2] : [n2, n1];
  const counts = new Float64Array(u + 1);
  counts[0] = 1;
  let orders = 1;
  for (let factor = 1; factor <= small; factor += 1) {
    orders = (orders * (large + factor)) / factor;
    for (let at = u; at >= large + factor; at -= 1)
      counts[at] = (counts[at] as number) - (counts[at - large - factor] as number);
    for (let at = factor; at <= u; at += 1) counts[at] = (counts[at] as number) + (counts[at - factor] as number);
  }
  return Math.min(1, (2 * counts.reduce((sum, count) => sum + count, 0)) / orders);
}
