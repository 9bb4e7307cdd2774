/** Correlation of paired values. Pairs are given as two lists of one length. */
import { midRanks, tieSizes } from './ranks.ts';
import { normalTail, studentTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** Pearson's r, with p from Student's t at n - 2 degrees of freedom. With two pairs p is 1. */
export function pearson(x: readonly number[], y: readonly number[]): TestResult {
  const n = pairsOf(x, y);
  if (n < 2) return undefinedTest(n, 'fewer than two pairs');
  const [meanX, meanY] = [sum(x) / n, sum(y) / n];
  const [dx, dy] = [x.map((value) => value - meanX), y.map((value) => value - meanY)];
  if (isConstant(x) || isConstant(y)) return undefinedTest(n, 'one side is constant');
  const r = clamp(dot(dx, dy) / Math.sqrt(dot(dx, dx) * dot(dy, dy)));
  return { statistic: r, p: correlationP(r, n), n, reason: null };
}

/** Spearman's rho: Pearson's r of the mid-ranks. */
export const spearman = (x: readonly number[], y: readonly number[]): TestResult => pearson(midRanks(x), midRanks(y));

/** Kendall's tau-b, with p from the normal approximation with ties; null for two pairs. */
export function kendall(x: readonly number[], y: readonly number[]): TestResult {
  const n = pairsOf(x, y);
  if (n < 2) return undefinedTest(n, 'fewer than two pairs');
  const [tiesX, tiesY] = [tieSizes(x), tieSizes(y)];
  const pairs = (n * (n - 1)) / 2;
  const tied = (sizes: readonly number[]): number => sum(sizes.map((size) => (size * (size - 1)) / 2));
  const [free1, free2] = [pairs - tied(tiesX), pairs - tied(tiesY)];
  if (free1 === 0 || free2 === 0) return undefinedTest(n, 'one side is constant');
  const score = concordance(x, y);
  const z = score / Math.sqrt(kendallVariance(n, tiesX, tiesY));
  return { statistic: clamp(score / Math.sqrt(free1 * free2)), p: n < 3 ? null : 2 * normalTail(Math.abs(z)), n, reason: null };
}

/** Concordant minus discordant pairs. */
function concordance(x: readonly number[], y: readonly number[]): number {
  let score = 0;
  for (let i = 0; i < x.length; i += 1)
    for (let j = 0; j < i; j += 1) score += Math.sign((x[i] as number) - (x[j] as number)) * Math.sign((y[i] as number) - (y[j] as number));
  return score;
}

function kendallVariance(n: number, tiesX: readonly number[], tiesY: readonly number[]): number {
  const first = (sizes: readonly number[]): number => sum(sizes.map((t) => t * (t - 1) * (2 * t + 5)));
  const second = (sizes: readonly number[]): number => sum(sizes.map((t) => t * (t - 1)));
  const third = (sizes: readonly number[]): number => sum(sizes.map((t) => t * (t - 1) * (t - 2)));
  const base = (n * (n - 1) * (2 * n + 5) - first(tiesX) - first(tiesY)) / 18;
  const pairTerm = (second(tiesX) * second(tiesY)) / (2 * n * (n - 1));
  const tripleTerm = n < 3 ? 0 : (third(tiesX) * third(tiesY)) / (9 * n * (n - 1) * (n - 2));
  return base + pairTerm + tripleTerm;
}

function correlationP(r: number, n: number): number | null {
  if (n === 2) return 1;
  if (Math.abs(r) === 1) return 0;
  return 2 * studentTail(n - 2, Math.abs(r) * Math.sqrt((n - 2) / ((1 - r) * (1 + r))));
}

function pairsOf(x: readonly number[], y: readonly number[]): number {
  if (x.length !== y.length) throw new Error(`a correlation takes pairs, got ${x.length} and ${y.length} values`);
  return x.length;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const dot = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((total, value, index) => total + value * (y[index] as number), 0);
const clamp = (r: number): number => Math.max(-1, Math.min(1, r));
const isConstant = (values: readonly number[]): boolean => values.every((value) => value === values[0]);
