import { midRanks, tieCubes } from '../ranks/ranks.ts';
import { shareOfOneDeal } from './permutation.ts';
import { chiSquareTail } from '../special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/**
 * The Kruskal-Wallis H with correction for ties; p from chi-square at groups - 1 degrees of freedom,
 * but not below the probability of the least likely order of so few values:
 * for three against three values that is 1/10, where chi-square gives 0.0495.
 */
export function kruskalWallis(groups: readonly (readonly number[])[]): TestResult {
  const all = groups.flat();
  const n = all.length;
  if (groups.length < 2 || groups.some((group) => group.length === 0))
    return undefinedTest(n, 'fewer than two groups with values');
  const ranks = midRanks(all);
  const ties = 1 - tieCubes(ranks) / (n ** 3 - n);
  if (ties === 0) return undefinedTest(n, 'all values are equal');
  let offset = 0;
  let total = 0;
  for (const { length } of groups) {
    const rankSum = ranks.slice(offset, offset + length).reduce((sum, rank) => sum + rank, 0);
    total += rankSum ** 2 / length;
    offset += length;
  }
  const h = Math.max(0, ((12 / (n * (n + 1))) * total - 3 * (n + 1)) / ties);
  const p = Math.max(chiSquareTail(groups.length - 1, h), smallestP(groups.map(({ length }) => length)));
  return { statistic: h, p, n, reason: null };
}

/**
 * 1 / the number of ways to assign values to the groups, times the ways to swap groups of equal size (same H).
 */
function smallestP(sizes: readonly number[]): number {
  const swaps = [...Map.groupBy(sizes, (size) => size).values()].map((alike) => factorial(alike.length));
  return Math.min(1, shareOfOneDeal(sizes) * swaps.reduce((product, ways) => product * ways, 1));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** Epsilon squared of H over n values: the share of the ranks' variance explained by the groups, 0 to 1. */
export const epsilonSquared = (h: number, n: number): number => h / ((n ** 2 - 1) / (n + 1));
