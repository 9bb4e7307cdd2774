import { kolmogorovTail } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/**
 * Kolmogorov and Smirnov's D of two samples: the greatest distance of their empirical distributions; p from Kolmogorov's limiting
 * distribution at sqrt(n1 n2 / (n1 + n2)) D, for values that do not depend on one another.
 */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): TestResult {
  const n = first.length + second.length;
  if (first.length === 0 || second.length === 0) return undefinedTest(n, 'a group has no values');
  const statistic = greatestDistance(first, second);
  return { statistic, p: kolmogorovTail(statistic * Math.sqrt((first.length * second.length) / n)), n, reason: null };
}

function greatestDistance(first: readonly number[], second: readonly number[]): number {
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
