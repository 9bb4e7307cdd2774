import { greatest, rounding } from '../rounding.ts';
import { kolmogorovTail } from '../special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/**
 * The Kolmogorov-Smirnov D of two samples: the greatest distance of their empirical distributions. p is for independent
 * values: exact up to 10,000 of each as in SciPy, else from Kolmogorov's limiting distribution at
 * sqrt(n1 n2 / (n1 + n2)) D.
 */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): TestResult {
  const n = first.length + second.length;
  if (first.length === 0 || second.length === 0) return undefinedTest(n, 'a group has no values');
  const statistic = greatestDistance(first, second);
  return { statistic, p: tail(statistic, first.length, second.length), n, reason: null };
}

/** Largest sample for which p is exact. */
const exactUpTo = 10_000;
/** From this argument on, the limiting tail and its distance from the exact one are below 1e-13. */
const farTail = 4;

function tail(distance: number, n1: number, n2: number): number {
  const argument = distance * Math.sqrt((n1 * n2) / (n1 + n2));
  return Math.max(n1, n2) > exactUpTo || argument >= farTail ? kolmogorovTail(argument) : exactTail(distance, n1, n2);
}

/**
 * The share of the orders of n1 and n2 values in which the two distributions are at least `distance` apart somewhere
 * (Hodges 1957), counted by lattice paths from (0, 0) to (n1, n2) that only visit nearer points.
 */
function exactTail(distance: number, n1: number, n2: number): number {
  const apart = Math.round(distance * n1 * n2);
  if (apart === 0) return 1;
  const touched = new Float64Array(n2 + 1).fill(1);
  for (let i = 0, done = 0; i <= n1; i += 1) {
    const low = Math.max(0, Math.ceil((i * n2 - apart + 1) / n1));
    const high = Math.min(n2, Math.floor((i * n2 + apart - 1) / n1));
    for (; done < low; done += 1) touched[done] = 1;
    for (let j = low; j <= high; j += 1) {
      const [up, left] = [touched[j] as number, j === 0 ? 0 : (touched[j - 1] as number)];
      touched[j] = i + j === 0 ? 0 : (i * up + j * left) / (i + j);
    }
  }
  return touched[n2] as number;
}

function greatestDistance(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [Float64Array.from(first).sort(), Float64Array.from(second).sort()];
  const alike = rounding * Math.max(greatest(first), greatest(second));
  let distance = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const at = Math.min(a[i] as number, b[j] as number);
    while (i < a.length && (a[i] as number) - at <= alike) i += 1;
    while (j < b.length && (b[j] as number) - at <= alike) j += 1;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  return distance;
}
