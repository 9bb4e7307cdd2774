/** Rank tests between groups, and how large the differences are. */
import { midRanks, tieSizes } from './ranks.ts';
import { chiSquareTail, normalTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** Kruskal and Wallis's H with correction for ties; p from chi-square at groups - 1 degrees of freedom. */
export function kruskalWallis(groups: readonly (readonly number[])[]): TestResult {
  const all = groups.flat();
  const n = all.length;
  if (groups.length < 2 || groups.some((group) => group.length === 0)) return undefinedTest(n, 'fewer than two groups with values');
  const ties = 1 - cubes(all) / (n ** 3 - n);
  if (ties === 0) return undefinedTest(n, 'all values are equal');
  const ranks = midRanks(all);
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

/** Mann and Whitney's U of the first group; p from the normal approximation with ties and continuity. */
export function mannWhitney(first: readonly number[], second: readonly number[]): TestResult {
  const [n1, n2] = [first.length, second.length];
  const n = n1 + n2;
  if (n1 === 0 || n2 === 0) return undefinedTest(n, 'a group has no values');
  const all = [...first, ...second];
  const ranks = midRanks(all);
  const u = ranks.slice(0, n1).reduce((sum, rank) => sum + rank, 0) - (n1 * (n1 + 1)) / 2;
  const variance = ((n1 * n2) / 12) * (n + 1 - cubes(all) / (n * (n - 1)));
  if (variance <= 0) return undefinedTest(n, 'all values are equal');
  const z = (Math.max(u, n1 * n2 - u) - (n1 * n2) / 2 - 0.5) / Math.sqrt(variance);
  return { statistic: u, p: Math.min(1, 2 * normalTail(z)), n, reason: null };
}

/** Cliff's delta: chance that a value of the first group is the greater one, minus that it is the smaller, -1 to 1. */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  const ranks = midRanks([...first, ...second]);
  const u = ranks.slice(0, first.length).reduce((sum, rank) => sum + rank, 0) - (first.length * (first.length + 1)) / 2;
  return (2 * u) / (first.length * second.length) - 1;
}

/** Sum of t^3 - t over the groups of equal values. */
const cubes = (values: readonly number[]): number => tieSizes(values).reduce((sum, t) => sum + t ** 3 - t, 0);

/** Benjamini and Hochberg's corrected p: the smallest false discovery rate at which each is still found. */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).toSorted((a, b) => (ps[b] as number) - (ps[a] as number));
  const corrected = new Array<number>(ps.length);
  let least = 1;
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((ps[index] as number) * ps.length) / (ps.length - place));
    corrected[index] = least;
  }
  return corrected;
}

/** Kolmogorov and Smirnov's D of two samples: the greatest distance of their empirical distributions. Null without values. */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  const [a, b] = [Float64Array.from(first).sort(), Float64Array.from(second).sort()];
  let greatest = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const at = Math.min(a[i] as number, b[j] as number);
    while (i < a.length && a[i] === at) i += 1;
    while (j < b.length && b[j] === at) j += 1;
    greatest = Math.max(greatest, Math.abs(i / a.length - j / b.length));
  }
  return greatest;
}
