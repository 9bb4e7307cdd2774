import { clamp, pairsOf } from './pairs.ts';
import { tieSizes } from './ranks.ts';
import { normalTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
