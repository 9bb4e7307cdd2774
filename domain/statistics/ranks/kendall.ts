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
 * y swaps is discordant. `untied` is the number of pairs minus those tied in x and those tied in y. Both are mid-ranks,
 * halves of whole numbers, so that one number holds a pair exactly and all are sorted as numbers.
 */
function concordance(x: readonly number[], y: readonly number[], untied: number): number {
  const most = 2 * x.length + 1;
  const pairs = Float64Array.from(x, (rank, index) => 2 * rank * most + 2 * (y[index] as number)).sort();
  return untied + tiedNeighbours(pairs) - 2 * discordantPairs(pairs.map((pair) => pair % most));
}

/** Number of pairs of equal values. */
function tiedNeighbours(sorted: Float64Array): number {
  let [pairs, run] = [0, 0];
  for (let place = 1; place < sorted.length; place += 1) {
    run = sorted[place] === sorted[place - 1] ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

/**
 * The number of inversions, by merge sort; equal values do not count. Of the ranks of one side in the order of the
 * other, it is the number of discordant pairs. The values are sorted in place.
 */
export function discordantPairs(values: Float64Array): number {
  let [from, to]: [Float64Array, Float64Array] = [values, new Float64Array(values.length)];
  let count = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) count += merge(from, to, start, width);
    [from, to] = [to, from];
  }
  return count;
}

/** Merges two sorted runs of at most `width` values. Returns the number of pairs that this swaps. */
function merge(from: Float64Array, to: Float64Array, start: number, width: number): number {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let count = 0;
  for (let place = start, i = start, j = middle; place < end; place += 1) {
    const takeLeft = j === end || (i < middle && (from[i] as number) <= (from[j] as number));
    if (!takeLeft) count += middle - i;
    to[place] = takeLeft ? (from[i++] as number) : (from[j++] as number);
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
