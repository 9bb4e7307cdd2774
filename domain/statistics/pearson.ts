import { clamp, isConstant, pairsOf } from './pairs.ts';
import { studentTail } from './special.ts';
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

function correlationP(r: number, n: number): number | null {
  if (n === 2) return 1;
  if (Math.abs(r) === 1) return 0;
  return 2 * studentTail(n - 2, Math.abs(r) * Math.sqrt((n - 2) / ((1 - r) * (1 + r))));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const dot = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((total, value, index) => total + value * (y[index] as number), 0);
