import { clamp, pairsOf } from '../pairs.ts';
import { countedPairs, permutationP } from '../tests/permutation.ts';
import { midRanks, tieSizes } from './ranks.ts';
import { normalTail } from '../special.ts';
import { type TestResult, undefinedTest } from '../tests/test-result.ts';

/** Up to this many pairs p is exact if no values are equal, as in SciPy. */
const exactUpTo = 33;

/**
 * Kendall's tau-b. p is exact for few pairs: up to 33 without ties, up to nine with; else from the normal approximation
 * with ties, in n log n steps.
 */
export function kendall(first: readonly number[], second: readonly number[]): TestResult {
  const n = pairsOf(first, second);
  if (n < 2) return undefinedTest(n, 'fewer than two pairs');
  const found = tauOf(first, second);
  return found === null
    ? undefinedTest(n, 'one side is constant')
    : { statistic: found.statistic, p: tauP(found, n), n, reason: null };
}

/** Kendall's tau-b without p, for resamples; null for fewer than two pairs or if a side is constant. */
export function kendallTau(first: readonly number[], second: readonly number[]): number | null {
  return pairsOf(first, second) < 2 ? null : (tauOf(first, second)?.statistic ?? null);
}

interface Tau {
  readonly statistic: number;
  /** Concordant minus discordant pairs. */
  readonly score: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Null if a side is constant. */
function tauOf(first: readonly number[], second: readonly number[]): Tau | null {
  const [x, y] = [midRanks(first), midRanks(second)];
  const pairs = (x.length * (x.length - 1)) / 2;
  const [tied1, tied2] = [tiedPairs(tieSizes(x)), tiedPairs(tieSizes(y))];
  if (tied1 === pairs || tied2 === pairs) return null;
  const score = concordance(x, y, pairs - tied1 - tied2);
  return { statistic: clamp(score / Math.sqrt((pairs - tied1) * (pairs - tied2))), score, x, y };
}

function tauP({ score, x, y }: Tau, n: number): number {
  const [tiesX, tiesY] = [tieSizes(x), tieSizes(y)];
  const discordant = ((n * (n - 1)) / 2 - Math.abs(score)) / 2;
  if (tiesX.length === n && tiesY.length === n && (n <= exactUpTo || discordant <= 1)) return exactP(n, discordant);
  if (n <= countedPairs) return permutationP(n, (order, place) => concordanceAt(x, y, order, place));
  return 2 * normalTail(Math.abs(score / Math.sqrt(kendallVariance(n, tiesX, tiesY))));
}

/** Concordant minus discordant pairs of the value at `place` with those before it. */
function concordanceAt(x: readonly number[], y: readonly number[], order: readonly number[], place: number): number {
  const [ownX, ownY] = [x[place] as number, y[order[place] as number] as number];
  let score = 0;
  for (let other = 0; other < place; other += 1)
    score += Math.sign(ownX - (x[other] as number)) * Math.sign(ownY - (y[order[other] as number] as number));
  return score;
}

/**
 * Twice the share of the orders of n values with at most this many inversions (Kendall 1970);
 * 1 if that is half of all pairs.
 */
function exactP(n: number, inversions: number): number {
  // By number of inversions; the last of 2, 3, ... values adds 0 to size - 1 of them.
  let shares = new Float64Array(inversions + 1).map((_, count) => (count === 0 ? 1 : 0));
  for (let size = 2; size <= n; size += 1) {
    let window = 0;
    shares = shares.map((share, count) => {
      window += share - (count >= size ? (shares[count - size] as number) : 0);
      return window / size;
    });
  }
  return Math.min(1, 2 * shares.reduce((sum, share) => sum + share, 0));
}

const tiedPairs = (sizes: readonly number[]): number => sum(sizes.map((size) => (size * (size - 1)) / 2));

/**
 * Concordant minus discordant pairs (Knight 1966): after sorting by x, and by y for equal x, every pair that a sort by
 * y swaps is discordant. `untied` is the number of pairs minus those tied in x and those tied in y.
 */
function concordance(x: readonly number[], y: readonly number[], untied: number): number {
  const order = x
    .map((_, index) => index)
    .toSorted((a, b) => (x[a] as number) - (x[b] as number) || (y[a] as number) - (y[b] as number));
  const both = tiedPairs(runs(order, (a, b) => x[a] === x[b] && y[a] === y[b]));
  return untied + both - 2 * swaps(Float64Array.from(order, (index) => y[index] as number));
}

/** Lengths of the runs of equal neighbours. */
function runs(order: readonly number[], alike: (a: number, b: number) => boolean): number[] {
  const lengths: number[] = [];
  for (const [place, index] of order.entries()) {
    if (place > 0 && alike(order[place - 1] as number, index)) lengths.push((lengths.pop() ?? 0) + 1);
    else lengths.push(1);
  }
  return lengths;
}

/** The number of inversions, by merge sort; equal values do not count. Leaves the values sorted. */
function swaps(values: Float64Array): number {
  if (values.length < 2) return 0;
  const middle = values.length >> 1;
  const [left, right] = [values.slice(0, middle), values.slice(middle)];
  let count = swaps(left) + swaps(right);
  for (let place = 0, i = 0, j = 0; place < values.length; place += 1) {
    const takeLeft = j === right.length || (i < left.length && (left[i] as number) <= (right[j] as number));
    if (!takeLeft) count += left.length - i;
    values[place] = takeLeft ? (left[i++] as number) : (right[j++] as number);
  }
  return count;
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
