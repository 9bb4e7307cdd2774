/** The interval of a mean of values between two known bounds. */
import { betaQuantile } from '../beta.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { isConstant, rounding } from '../rounding.ts';
import { normalQuantile } from '../special.ts';
import { chanceUpTo, type WeightedValues } from './weighted-mean-tail.ts';

/** Name of the method in tables and reports. */
export const boundedMeanMethod = "Gaffke's bounds over tasks";

/** Of a model with answers that could not be judged: from these at their worst to these at their best. */
export const allOpen = 'with all that answers that could not be judged allow';
export const openMethod = `${boundedMeanMethod}, ${allOpen}`;

export interface BoundedMeanOptions {
  /** Default 0.95. */
  readonly level?: number;
  /**
   * Number of samples that each value is the mean of: the interval is of the mean over all samples. Default 1.
   */
  readonly weights?: readonly number[];
}

/**
 * Gaffke's two-sided interval (2005; Learned-Miller and Thomas 2019) of the mean of independent values in [lo, hi]: the
 * upper end is the upper quantile of sum D_i x_i, where D is uniform over all ways to divide 1 among the values and
 * one additional value at `hi`; the lower end likewise with one at `lo`. For values of 0 and 1 it is exactly the
 * Clopper-Pearson interval. It assumes nothing about the distribution, so a task with several samples enters as their
 * mean, however these depend on each other. Null without values; never empty. Example: [0.2, 0.4, 0.9] in [0, 1] at
 * 0.95 is 0.122 to 0.894.
 */
export function boundedMeanInterval(
  values: readonly number[],
  { lo, hi }: Interval,
  { level = defaultLevel, weights }: BoundedMeanOptions = {},
): Interval | null {
  if (!(lo < hi)) throw new Error(`boundedMeanInterval needs lo < hi, got ${lo} and ${hi}`);
  if (values.length === 0) return null;
  const tail = tailOf(level);
  const scaled = values.map((value) => scaledValue(value, lo, hi));
  const shares = meanWeights(values.length, weights);
  const ends = {
    lo:
      1 -
      upperEnd(
        scaled.map((value) => 1 - value),
        shares,
        tail,
      ),
    hi: upperEnd(scaled, shares, tail),
  };
  return { lo: lo + ends.lo * (hi - lo), hi: lo + ends.hi * (hi - lo) };
}

/** Values scaled to [0, 1]; those beyond the bounds by rounding are set to them. */
function scaledValue(value: number, lo: number, hi: number): number {
  const scaled = (value - lo) / (hi - lo);
  if (!(scaled >= -rounding && scaled <= 1 + rounding))
    throw new Error(`values must lie between ${lo} and ${hi}, got ${value}`);
  return Math.max(0, Math.min(1, scaled));
}

/** Weights with a mean of 1; null if all are equal. */
function meanWeights(n: number, weights: readonly number[] | undefined): readonly number[] | null {
  if (weights === undefined) return null;
  if (weights.length !== n) throw new Error(`each value needs a weight, got ${n} values and ${weights.length} weights`);
  const wrong = weights.find((weight) => !(weight > 0));
  if (wrong !== undefined) throw new Error(`weights must be positive, got ${wrong}`);
  if (isConstant(weights)) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (weight * n) / total);
}

/** For values in [0, 1], with an additional one at 1. */
function upperEnd(values: readonly number[], weights: readonly number[] | null, tail: number): number {
  const lowest = values.reduce((least, value) => Math.min(least, value), 1);
  if (lowest === 1) return 1;
  const atTop = values.filter((value) => value === 1).length;
  const atLowest = values.filter((value) => value === lowest).length;
  // With only two distinct values it is a beta distribution.
  if (weights === null && atTop + atLowest === values.length)
    return lowest + (1 - lowest) * betaQuantile(1 - tail, atTop + 1, atLowest);
  const all = grouped([...values, 1], weights === null ? null : [...weights, 1]);
  const scratch = new Float64Array(all.values.length);
  const rising = (mean: number): number => chanceUpTo(mean, all, scratch) - (1 - tail);
  return risingRoot(rising, { left: lowest, atLeft: tail - 1, right: 1, atRight: tail }, around(all, tail));
}

/** Two points around the upper end, assuming that the weighted mean is normal; points far from it take longer. */
function around({ values, weights, counts }: WeightedValues, tail: number): readonly [number, number] {
  let [total, sum, squares] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    const share = (weights[index] as number) * (counts[index] as number);
    total += share;
    sum += share * value;
  }
  const mean = sum / total;
  for (const [index, value] of values.entries())
    squares += (counts[index] as number) * ((weights[index] as number) * (value - mean)) ** 2;
  const deviation = Math.sqrt(squares) / total;
  const middle = mean + normalQuantile(1 - tail) * deviation;
  return [middle - deviation / 2, middle + deviation / 2];
}

/** Groups equal values of the same weight, with their number. */
const grouped = (values: readonly number[], weights: readonly number[] | null): WeightedValues =>
  weights === null ? groupedValues(values) : groupedPairs(values, weights);

function groupedValues(all: readonly number[]): WeightedValues {
  const ascending = Float64Array.from(all).sort();
  const [values, counts] = [new Float64Array(all.length), new Int32Array(all.length)];
  let groups = 0;
  for (const value of ascending) {
    if (groups === 0 || values[groups - 1] !== value) {
      values[groups] = value;
      groups += 1;
    }
    counts[groups - 1] = (counts[groups - 1] as number) + 1;
  }
  const [own, of] = [values.slice(0, groups), counts.slice(0, groups)];
  return { values: own, weights: new Float64Array(groups).fill(1), counts: of };
}

function groupedPairs(values: readonly number[], weights: readonly number[]): WeightedValues {
  const weightOf = (index: number): number => weights[index] as number;
  const order = values
    .map((_, index) => index)
    .toSorted((a, b) => (values[a] as number) - (values[b] as number) || weightOf(a) - weightOf(b));
  const firsts = order.filter((index, place) => {
    const before = order[place - 1];
    return before === undefined || values[before] !== values[index] || weightOf(before) !== weightOf(index);
  });
  const counts = new Int32Array(firsts.length);
  for (let place = 0, group = -1; place < order.length; place += 1) {
    if (order[place] === firsts[group + 1]) group += 1;
    counts[group] = (counts[group] as number) + 1;
  }
  return {
    values: Float64Array.from(firsts, (index) => values[index] as number),
    weights: Float64Array.from(firsts, weightOf),
    counts,
  };
}

const closeEnough = 1e-9;

interface Bracket {
  left: number;
  right: number;
  atLeft: number;
  atRight: number;
}

/**
 * The zero of an increasing function in a bracket, by the Illinois variant of false position, after some first tries.
 */
function risingRoot(rising: (x: number) => number, bracket: Bracket, tries: readonly number[]): number {
  let { left, right, atLeft, atRight } = bracket;
  for (let side = 0, step = 0; right - left > closeEnough && step < 200; step += 1) {
    const tried = tries[step];
    const falsePosition = step % 4 === 3 ? (left + right) / 2 : (left * atRight - right * atLeft) / (atRight - atLeft);
    const x = tried !== undefined && tried > left && tried < right ? tried : falsePosition;
    const found = rising(x);
    if (Math.abs(found) < closeEnough) return x;
    if (found > 0) {
      [right, atRight] = [x, found];
      if (side === 1) atLeft /= 2;
      side = 1;
    } else {
      [left, atLeft] = [x, found];
      if (side === -1) atRight /= 2;
      side = -1;
    }
  }
  return right;
}
