/** Is the mean of paired differences 0? The permutation test that swaps the two sides of each pair. */
import { uniform } from '../random.ts';
import { greatest, rounding } from './rounding.ts';
import { mean } from './spread.ts';

export interface SignFlip {
  /** Mean of the differences; null without pairs. */
  readonly difference: number | null;
  /** Two-sided, never 0; null without pairs. */
  readonly p: number | null;
  /** Whether p counts every way to swap sides; else it is of drawn ones. */
  readonly exact: boolean;
  /** Pairs. */
  readonly n: number;
}

export interface SignFlipOptions {
  /** From `seedOf(...)`; read only where p is of drawn swaps. */
  readonly seed: number;
  /** Most swaps to draw; default 9,999. A family of tests needs more: see `swapsFor`. */
  readonly draws?: number;
}

const defaultDraws = 9_999;

/** Swaps that a family of tests needs so that its smallest possible p, 1 / (1 + swaps), passes Holm's hardest step five times over. */
export const swapsFor = (familySize: number, alpha: number): number => Math.max(defaultDraws, Math.ceil((5 * familySize) / alpha));

/**
 * Fisher's randomisation test (1935): where the two sides are alike, each pair's difference could as well have the other sign, and p is the share of all
 * ways to set the signs whose mean lies as far from 0 as the observed one. It holds its level for any number of pairs and any distribution. Give one
 * difference for each task: the mean, or the sum, of what its samples differ by; differences of 1, 0 and -1 give McNemar's exact p.
 * Example: [1, 2, 3] has p = 2 / 8.
 */
export function signFlipTest(differences: readonly number[], { seed, draws = defaultDraws }: SignFlipOptions): SignFlip {
  const n = differences.length;
  const largest = greatest(differences);
  if (n === 0) return { difference: null, p: null, exact: true, n };
  // In units of the largest: neither huge nor tiny values overflow, and what rounding alone set apart is 0.
  const scaled = largest === 0 ? [] : differences.map((value) => value / largest).filter((value) => Math.abs(value) > rounding);
  const observed = Math.abs(scaled.reduce((sum, value) => sum + value, 0));
  const sizes = scaled.map(Math.abs);
  const exact = exactP(sizes, observed);
  return { difference: mean(differences), p: exact ?? drawnP(sizes, observed, seed, draws), exact: exact !== null, n };
}

/** Sums this close to the observed one count as equal to it. */
const slackOf = (sizes: readonly number[]): number => rounding * Math.max(1, sizes.length);

/** Up to so many pairs all signs are tried one by one. */
const enumeratedPairs = 16;

/** Null where there are too many ways to set the signs. */
function exactP(sizes: readonly number[], observed: number): number | null {
  if (sizes.length === 0) return 1;
  const steps = wholeSteps(sizes);
  if (steps !== null) return latticeP(steps.sizes, Math.round(observed * steps.perUnit));
  return sizes.length <= enumeratedPairs ? enumeratedP(sizes, observed) : null;
}

/** Most steps to a unit that are looked for, and most additions that the exact count may take. */
const finestStep = 120;
const mostAdditions = 2e6;

/** The sizes as whole numbers of a common step, where there is one: scores of k samples are multiples of 1 / k. */
function wholeSteps(sizes: readonly number[]): { readonly sizes: readonly number[]; readonly perUnit: number } | null {
  const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= rounding * value * finestStep;
  for (let perUnit = 1; perUnit <= finestStep; perUnit += 1) {
    if (!sizes.every((size) => isWhole(size * perUnit))) continue;
    const whole = sizes.map((size) => Math.round(size * perUnit));
    const total = whole.reduce((sum, size) => sum + size, 0);
    return total * whole.length > mostAdditions ? null : { sizes: whole, perUnit };
  }
  return null;
}

/** `chances[k]` comes to be the chance that the sizes with a plus add up to k: all sums at once, and nothing is subtracted. */
function latticeP(sizes: readonly number[], observed: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let at = reached; at >= 0; at -= 1)
      chances[at] = ((chances[at] as number) + (at >= size ? (chances[at - size] as number) : 0)) / 2;
  }
  // A sum is 2 k - total: as far below 0 as above it, with equal chances.
  const upTo = Math.floor((total - observed) / 2);
  let tail = 0;
  for (let at = 0; at <= upTo; at += 1) tail += chances[at] as number;
  return Math.min(1, 2 * tail);
}

function enumeratedP(sizes: readonly number[], observed: number): number {
  const bound = observed - slackOf(sizes);
  // The first sign stays: setting all of them the other way changes no distance from 0.
  const asFar = (place: number, sum: number): number => {
    if (place === sizes.length) return Math.abs(sum) >= bound ? 1 : 0;
    const size = sizes[place] as number;
    return asFar(place + 1, sum + size) + asFar(place + 1, sum - size);
  };
  return asFar(1, sizes[0] as number) / 2 ** (sizes.length - 1);
}

/** The observed signs count as one more draw, which keeps the level (Phipson and Smyth 2010). */
function drawnP(sizes: readonly number[], observed: number, seed: number, draws: number): number {
  const random = uniform(seed);
  const bound = observed - slackOf(sizes);
  let asFar = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const size of sizes) sum += random() < 0.5 ? size : -size;
    if (Math.abs(sum) >= bound) asFar += 1;
  }
  return (1 + asFar) / (1 + draws);
}
