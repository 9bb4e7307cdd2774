import { midRanks, tieCubes } from './ranks.ts';
import { chiSquareTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** Kruskal and Wallis's H with correction for ties; p from chi-square at groups - 1 degrees of freedom. */
export function kruskalWallis(groups: readonly (readonly number[])[]): TestResult {
  const all = groups.flat();
  const n = all.length;
  if (groups.length < 2 || groups.some((group) => group.length === 0)) return undefinedTest(n, 'fewer than two groups with values');
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
  const h = ((12 / (n * (n + 1))) * total - 3 * (n + 1)) / ties;
  return { statistic: h, p: chiSquareTail(groups.length - 1, h), n, reason: null };
}

/** Epsilon squared of H over n values: the share of the ranks' variance that the groups explain, 0 to 1. */
export const epsilonSquared = (h: number, n: number): number => h / ((n ** 2 - 1) / (n + 1));
