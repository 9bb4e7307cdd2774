/** The interval of a mean whose values are known to lie between two bounds. */
import { betaQuantile } from './beta.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { isConstant, rounding } from './rounding.ts';
import { normalQuantile } from './special.ts';
import { chanceUpTo, type WeightedValues } from './weighted-mean-tail.ts';

/** The method's name, as tables and reports show it. */
export const boundedMeanMethod = "Gaffke's bounds over tasks";

export interface BoundedMeanOptions {
  /** Default 0.95. */
  readonly level?: number;
  /** How many samples each value is the mean of, so that the interval is of the mean over all samples; default 1 for each. */
  readonly weights?: readonly number[];
}

/**
 * Gaffke's two-sided interval (2005; Learned-Miller and Thomas 2019) of the mean of independent values in [lo, hi]: the upper end is the upper
 * quantile of sum D_i x_i, where D is uniform over all ways to share out 1 among the values and one more value at `hi`; the lower end likewise
 * with one at `lo`. Of values that are 0 or 1 it is Clopper and Pearson's interval exactly. It assumes nothing of the values' distribution, so a
 * task with several samples goes in as their mean, however its samples depend on one another. Null without values; never empty.
 * Example: [0.2, 0.4, 0.9] in [0, 1] at 0.95 is 0.122 to 0.894.
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

/** In [0, 1]; what rounding carried beyond the bounds is put on them. */
function scaledValue(value: number, lo: number, hi: number): number {
  const scaled = (value - lo) / (hi - lo);
  if (!(scaled >= -rounding && scaled <= 1 + rounding)) throw new Error(`a value lies outside its bounds ${lo} to ${hi}: ${value}`);
  return Math.max(0, Math.min(1, scaled));
}

/** With a mean of 1; null where all are equal. */
function meanWeights(n: number, weights: readonly number[] | undefined): readonly number[] | null {
  if (weights === undefined) return null;
  if (weights.length !== n) throw new Error(`each value needs a weight, got ${n} values and ${weights.length} weights`);
  const wrong = weights.find((weight) => !(weight > 0));
  if (wrong !== undefined) throw new Error(`a value's weight is positive, got ${wrong}`);
  if (isConstant(weights)) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (weight * n) / total);
}

/** Of values in [0, 1], with one more at 1. */
function upperEnd(values: readonly number[], weights: readonly number[] | null, tail: number): number {
  const lowest = values.reduce((least, value) => Math.min(least, value), 1);
  if (lowest === 1) return 1;
  const atTop = values.filter((value) => value === 1).length;
  const atLowest = values.filter((value) => value === lowest).length;
  // Two values only: a beta distribution.
  if (weights === null && atTop + atLowest === values.length) return lowest + (1 - lowest) * betaQuantile(1 - tail, atTop + 1, atLowest);
  const all = grouped([...values, 1], weights === null ? null : [...weights, 1]);
  const scratch = new Float64Array(all.values.length);
  const rising = (mean: number): number => chanceUpTo(mean, all, scratch) - (1 - tail);
  return risingRoot(rising, { left: lowest, atLeft: tail - 1, right: 1, atRight: tail }, around(all, tail));
}

/** Two places around the upper end, as if the weighted mean were normal: places far from it take longer. */
function around({ values, weights, counts }: WeightedValues, tail: number): readonly [number, number] {
  let [total, sum, squares] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    const share = (weights[index] as number) * (counts[index] as number);
    total += share;
    sum += share * value;
  }
  const mean = sum / total;
  for (const [index, value] of values.entries()) squares += (counts[index] as number) * ((weights[index] as number) * (value - mean)) ** 2;
  const deviation = Math.sqrt(squares) / total;
  const middle = mean + normalQuantile(1 - tail) * deviation;
  return [middle - deviation / 2, middle + deviation / 2];
}

/** Equal values of one weight are counted. */
function grouped(values: readonly number[], weights: readonly number[] | null): WeightedValues {
  const weightOf = (index: number): number => weights?.[index] ?? 1;
  const order = values
    .map((_, index) => index)
    .toSorted((a, b) => (values[a] as number) - (values[b] as number) || weightOf(a) - weightOf(b));
  const firsts = order.filter((index, place) => {
    const before = order[place - 1];
    return before === undefined || values[before] !== values[index] || weightOf(before) !== weightOf(index);
  });
  const counts = new Float64Array(firsts.length);
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

/** Where a rising function crosses 0 in a bracket: the Illinois form of the rule of false position, after some first tries. */
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
