import { midRanks, tieCubes } from './ranks.ts';
import { normalTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** Mann and Whitney's U of the first group; p from the normal approximation with ties and continuity. */
export function mannWhitney(first: readonly number[], second: readonly number[]): TestResult {
  const [n1, n2] = [first.length, second.length];
  const n = n1 + n2;
  if (n1 === 0 || n2 === 0) return undefinedTest(n, 'a group has no values');
  const all = [...first, ...second];
  const ranks = midRanks(all);
  const u = ranks.slice(0, n1).reduce((sum, rank) => sum + rank, 0) - (n1 * (n1 + 1)) / 2;
  const variance = ((n1 * n2) / 12) * (n + 1 - tieCubes(all) / (n * (n - 1)));
  if (variance <= 0) return undefinedTest(n, 'all values are equal');
  const z = (Math.max(u, n1 * n2 - u) - (n1 * n2) / 2 - 0.5) / Math.sqrt(variance);
  return { statistic: u, p: Math.min(1, 2 * normalTail(z)), n, reason: null };
}
