import { clamp, pairsOf } from '../pairs.ts';
import { countedPairs, permutationP, smallestPermutationP } from '../tests/permutation.ts';
import { isConstant, unitOf } from '../rounding.ts';
import { twoSidedP } from '../student.ts';
import { type TestResult, undefinedTest } from '../tests/test-result.ts';

/**
 * Pearson's r. Up to nine pairs, p is the share of all pairings of the values whose r is at least as far from 0; else
 * it is from Student's t at n - 2 degrees of freedom, but not below the smallest share, 2 / n!. Example: three pairs on
 * a line have p = 1/3.
 */
export function pearson(x: readonly number[], y: readonly number[]): TestResult {
  const n = pairsOf(x, y);
  const sides = centredSides(x, y);
  if (n < 2) return undefinedTest(n, 'fewer than two pairs');
  if (sides === null) return undefinedTest(n, 'one side is constant');
  return { statistic: sides.r, p: correlationP(sides, n), n, reason: null };
}

/** Pearson's r without p, for resamples; null for fewer than two pairs or if a side is constant. */
export function pearsonR(x: readonly number[], y: readonly number[]): number | null {
  return pairsOf(x, y) < 2 ? null : (centredSides(x, y)?.r ?? null);
}

interface Sides {
  readonly dx: readonly number[];
  readonly dy: readonly number[];
  readonly r: number;
}

/** Null if a side is constant. */
function centredSides(x: readonly number[], y: readonly number[]): Sides | null {
  if (isConstant(x) || isConstant(y)) return null;
  const [dx, dy] = [centred(x), centred(y)];
  return { dx, dy, r: clamp(dot(dx, dy) / Math.sqrt(dot(dx, dx) * dot(dy, dy))) };
}

function centred(values: readonly number[]): number[] {
  const unit = unitOf(values);
  const scaled = values.map((value) => value / unit);
  const mean = scaled.reduce((total, value) => total + value, 0) / values.length;
  const from = scaled.map((value) => value - mean);
  const spread = unitOf(from);
  return from.map((value) => value / spread);
}

function correlationP({ dx, dy, r }: Sides, n: number): number {
  if (n <= countedPairs)
    return permutationP(n, (order, place) => (dx[place] as number) * (dy[order[place] as number] as number));
  const t = Math.abs(r) === 1 ? Infinity : Math.abs(r) * Math.sqrt((n - 2) / ((1 - r) * (1 + r)));
  return Math.max(smallestPermutationP(n), twoSidedP(t, n - 2));
}

const dot = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((total, value, index) => total + value * (y[index] as number), 0);
