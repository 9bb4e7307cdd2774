/** Tests whether the mean of paired differences is 0, by swapping the two sides of each pair. */
import { uniform } from '../../random.ts';
import { greatest, rounding } from '../rounding.ts';
import { mean } from '../spread.ts';
import { shareOfSigns } from './all-signs.ts';

export interface SignFlip {
  /** Mean of the differences; null without pairs. */
  readonly difference: number | null;
  /** Two-sided, never 0; null without pairs. */
  readonly p: number | null;
  /** Whether p is over all ways to swap sides; else over random ones. */
  readonly exact: boolean;
  /** Number of pairs. */
  readonly n: number;
}

export interface SignFlipOptions {
  /** From `seedOf(...)`; used only for random swaps. */
  readonly seed: number;
  /** Most swaps to draw; default 9,999. A family of tests needs more: see `swapsFor`. */
  readonly draws?: number;
}

const defaultDraws = 9_999;

/**
 * Swaps that a family of tests needs so that its smallest p, 1 / (1 + swaps), is a fifth of Holm's strictest threshold.
 */
export const swapsFor = (familySize: number, alpha: number): number =>
  Math.max(defaultDraws, Math.ceil((5 * familySize) / alpha));

/**
 * Fisher's randomisation test (1935): if the two sides are equivalent, each pair's difference could equally have the
 * other sign. p is the share of all ways to set the signs whose mean is at least as far from 0 as the observed one. It
 * holds its level for any number of pairs and any distribution. Pass one difference per task: the mean or sum over its
 * samples. Differences of 1, 0 and -1 give McNemar's exact p. Example: [1, 2, 3] has p = 2 / 8.
 *
 * All ways are counted where that takes no longer than to draw some. `countedSignFlipP` never draws.
 */
export function signFlipTest(
  differences: readonly number[],
  { seed, draws = defaultDraws }: SignFlipOptions,
): SignFlip {
  const n = differences.length;
  if (n === 0) return { difference: null, p: null, exact: true, n };
  const scaled = inUnitsOfLargest(differences);
  const mostSteps = Math.max(mostAdditions / n, additionsPerDraw * draws);
  const exact = exactP(scaled, { pairs: countedPairs.fine, mostSteps });
  return { difference: mean(differences), p: exact ?? drawnP(scaled, seed, draws), exact: exact !== null, n };
}

/** Up to this many differences without a common step are counted as they are; `fine` takes as long as 9,999 draws. */
const countedPairs = { fine: 32, coarse: 20 };
/** Additions that take no time to speak of. */
const mostAdditions = 2e6;
/** Drawing a sign takes as long as this many additions of an exact count. */
const additionsPerDraw = 50;

/**
 * The test's p without draws, so without a floor. Differences that are neither few nor multiples of a common step are
 * rounded: to 256ths of the largest, or `fine`, for few tests, to as many steps as drawing would leave time for. The
 * test still holds its level exactly, since a difference and its opposite are rounded alike. Null without differences.
 */
export function countedSignFlipP(differences: readonly number[], fineness: 'fine' | 'coarse'): number | null {
  if (differences.length === 0) return null;
  const scaled = inUnitsOfLargest(differences);
  const exact = exactP(scaled, { pairs: countedPairs[fineness], mostSteps: Infinity });
  return exact ?? roundedP(scaled, fineness === 'fine' ? fineSteps(scaled) : leastSteps);
}

/**
 * The test's p with differences rounded to a few steps of the largest: near the exact one, and much faster. It holds
 * its level too. Null without differences.
 */
export const roughSignFlipP = (differences: readonly number[], steps: number): number | null =>
  differences.length === 0 ? null : roundedP(inUnitsOfLargest(differences), steps);

/** So that neither huge nor tiny values overflow; without differences of 0, or that come from rounding. */
function inUnitsOfLargest(differences: readonly number[]): number[] {
  const largest = greatest(differences);
  return largest === 0 ? [] : differences.map((value) => value / largest).filter((value) => Math.abs(value) > rounding);
}

const distanceFromZero = (values: readonly number[]): number => Math.abs(values.reduce((sum, value) => sum + value, 0));

/** Steps of the largest difference that others are rounded to. */
const leastSteps = 256;
const mostFineSteps = 16_384;
/** As long as 9,999 draws of the signs of 400 differences. */
const fineAdditions = 2.5e8;

function fineSteps(scaled: readonly number[]): number {
  const total = scaled.reduce((sum, value) => sum + Math.abs(value), 0);
  const affordable = Math.floor(fineAdditions / (scaled.length * total));
  return Math.min(mostFineSteps, Math.max(leastSteps, affordable));
}

function roundedP(scaled: readonly number[], perUnit: number): number {
  const steps = scaled.map((value) => Math.sign(value) * Math.round(Math.abs(value) * perUnit));
  return latticeP(steps.map(Math.abs), distanceFromZero(steps));
}

/** Sums this close to the observed one count as equal to it. */
const slackOf = (sizes: readonly number[]): number => rounding * Math.max(1, sizes.length);

/** Null if there are too many ways to set the signs. @param mostSteps of all sizes together, in their common step */
function exactP(
  scaled: readonly number[],
  { pairs, mostSteps }: { readonly pairs: number; readonly mostSteps: number },
): number | null {
  const [sizes, observed] = [scaled.map(Math.abs), distanceFromZero(scaled)];
  if (sizes.length === 0) return 1;
  const steps = wholeSteps(sizes, mostSteps);
  if (steps !== null) return latticeP(steps.sizes, Math.round(observed * steps.perUnit));
  return sizes.length <= pairs ? shareOfSigns(sizes, observed - slackOf(sizes)) : null;
}

/** Most steps per unit to look for. */
const finestStep = 256;

/** The sizes as multiples of a common step, if there is one: scores of k samples are multiples of 1 / k. */
function wholeSteps(
  sizes: readonly number[],
  most: number,
): { readonly sizes: readonly number[]; readonly perUnit: number } | null {
  const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= rounding * value * finestStep;
  for (let perUnit = 1; perUnit <= finestStep; perUnit += 1) {
    if (!sizes.every((size) => isWhole(size * perUnit))) continue;
    const whole = sizes.map((size) => Math.round(size * perUnit));
    const total = whole.reduce((sum, size) => sum + size, 0);
    return total > most ? null : { sizes: whole, perUnit };
  }
  return null;
}

/**
 * `chances[k]` becomes the probability that the sizes with a plus add up to k: computes all sums at once, without
 * subtraction. Sums that must end in the tail, even if all sizes to come have a plus, are counted at once. Small sizes
 * come first, because few sums are possible with them.
 */
function latticeP(sizes: readonly number[], observed: number): number {
  // A size of 0 changes nothing, and makes their number even.
  const ascending = Int32Array.from(sizes.length % 2 === 0 ? sizes : [0, ...sizes]).sort();
  const total = ascending.reduce((sum, size) => sum + size, 0);
  // A sum is 2 k - total; equal distances below and above 0 have equal probability, so only the lower ones are counted.
  const upTo = Math.floor((total - observed) / 2);
  const chances = new Float64Array(upTo + 1);
  chances[0] = 1;
  let [reached, open, tail] = [0, 0, 0];
  for (let place = 0; place < ascending.length; place += 2) {
    const [first, second] = [ascending[place] as number, ascending[place + 1] as number];
    reached += first + second;
    const top = Math.min(reached, upTo);
    addSizes(chances, first, second, open, top);
    const settled = Math.min(top, upTo - (total - reached));
    for (; open <= settled; open += 1) tail += chances[open] as number;
  }
  return Math.min(1, 2 * tail);
}

/** Two fair coins decide whether a sum from `open` to `top` grew by one size, by the other, by both or not at all. */
function addSizes(chances: Float64Array, first: number, second: number, open: number, top: number): void {
  // `| 0`: V8 otherwise computes indexes as floating-point numbers in some processes, which takes four times as long.
  const both = (first + second) | 0;
  const least = (open + both) | 0;
  let at = top | 0;
  for (; at >= least; at -= 1)
    chances[at] =
      0.25 *
      ((chances[at] as number) +
        (chances[at - first] as number) +
        ((chances[at - second] as number) + (chances[at - both] as number)));
  for (; at >= open; at -= 1) {
    const before = (size: number): number => (at - size >= open ? (chances[at - size] as number) : 0);
    chances[at] = 0.25 * (before(0) + before(first) + (before(second) + before(both)));
  }
}

/** The observed signs count as one more draw, which keeps the level (Phipson and Smyth 2010). */
function drawnP(scaled: readonly number[], seed: number, draws: number): number {
  const random = uniform(seed);
  const sizes = scaled.map(Math.abs);
  const bound = distanceFromZero(scaled) - slackOf(sizes);
  let asFar = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const size of sizes) sum += random() < 0.5 ? size : -size;
    if (Math.abs(sum) >= bound) asFar += 1;
  }
  return (1 + asFar) / (1 + draws);
}
