/** The interval of a mean whose values are known to lie between two bounds. */
import { betaQuantile } from './beta.ts';
import { weightedExponentialsBelow } from './exponential-sum.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { rounding } from './rounding.ts';
import { normalQuantile } from './special.ts';

/** The method's name, as tables and reports show it. */
export const boundedMeanMethod = "Gaffke's bounds over tasks";

export interface BoundedMeanOptions {
  /** Default 0.95. */
  readonly level?: number;
  /** How many samples each value is the mean of, so that the interval is of the mean over all samples; default 1 for each. */
  readonly weights?: readonly number[];
}

/** Equal values with their weight and how many there are. */
interface Group {
  readonly value: number;
  readonly weight: number;
  readonly count: number;
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
  const tail = tailOf(level);
  const scaled = values.map((value) => scaledValue(value, lo, hi));
  const groups = grouped(scaled, weights);
  if (groups.length === 0) return null;
  const mirrored = groups.map((group) => ({ ...group, value: 1 - group.value }));
  const ends = { lo: 1 - upperEnd(mirrored, tail), hi: upperEnd(groups, tail) };
  return { lo: lo + ends.lo * (hi - lo), hi: lo + ends.hi * (hi - lo) };
}

/** In [0, 1]; what rounding carried beyond the bounds is put on them. */
function scaledValue(value: number, lo: number, hi: number): number {
  const scaled = (value - lo) / (hi - lo);
  if (!(scaled >= -rounding && scaled <= 1 + rounding)) throw new Error(`a value lies outside its bounds ${lo} to ${hi}: ${value}`);
  return Math.max(0, Math.min(1, scaled));
}

function grouped(values: readonly number[], weights?: readonly number[]): Group[] {
  if (weights && weights.length !== values.length)
    throw new Error(`each value needs a weight, got ${values.length} values and ${weights.length} weights`);
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? values.length;
  const groups = new Map<string, Group>();
  for (const [index, value] of values.entries()) {
    const weight = weights ? ((weights[index] as number) * values.length) / total : 1;
    if (!(weight > 0)) throw new Error(`a value's weight is positive, got ${weights?.[index]}`);
    const key = `${value} ${weight}`;
    groups.set(key, { value, weight, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

/** Of values in [0, 1], with one more at 1. */
function upperEnd(groups: readonly Group[], tail: number): number {
  const lowest = groups.reduce((least, { value }) => Math.min(least, value), 1);
  if (lowest === 1) return 1;
  const exact = twoValued(groups, lowest, tail);
  if (exact !== null) return exact;
  const above = (mean: number): number =>
    weightedExponentialsBelow(
      [...groups, { value: 1, weight: 1, count: 1 }].map(({ value, weight, count }) => [weight * (value - mean), count]),
    );
  const rising = (mean: number): number => above(mean) - (1 - tail);
  return risingRoot(rising, ...nearRoot(rising, lowest, 1, normalEnd(groups, tail)));
}

/** About where the upper end lies, and how far off that may be: as if the weighted mean were normal. */
function normalEnd(groups: readonly Group[], tail: number): { readonly middle: number; readonly width: number } {
  const all = [...groups, { value: 1, weight: 1, count: 1 }];
  const total = (of: (group: Group) => number): number => all.reduce((sum, group) => sum + of(group), 0);
  const weights = total(({ weight, count }) => weight * count);
  const mean = total(({ value, weight, count }) => value * weight * count) / weights;
  const deviation = Math.sqrt(total(({ value, weight, count }) => count * (weight * (value - mean)) ** 2)) / weights;
  return { middle: mean + normalQuantile(1 - tail) * deviation, width: deviation / 2 };
}

/** A narrower place for the root, where the guess is a good one: points far from it take much longer. */
function nearRoot(
  rising: (x: number) => number,
  below: number,
  above: number,
  { middle, width }: { readonly middle: number; readonly width: number },
): [number, number] {
  let [left, right] = [below, above];
  for (const x of [middle - width, middle + width]) {
    if (!(x > left && x < right)) continue;
    if (rising(x) < 0) left = x;
    else right = x;
  }
  return [left, right];
}

/** The quantile of a beta distribution where the values are equal but for those at 1; null where they are not. */
function twoValued(groups: readonly Group[], lowest: number, tail: number): number | null {
  if (groups.some(({ value, weight }) => weight !== 1 || (value !== lowest && value !== 1))) return null;
  const at = (wanted: number): number => groups.find(({ value }) => value === wanted)?.count ?? 0;
  return lowest + (1 - lowest) * betaQuantile(1 - tail, at(1) + 1, at(lowest));
}

const closeEnough = 1e-10;

/** Where a rising function crosses 0 between `below` and `above`: the Illinois form of the rule of false position. */
function risingRoot(rising: (x: number) => number, below: number, above: number): number {
  let [left, right] = [below, above];
  let [atLeft, atRight] = [rising(left), rising(right)];
  if (atLeft >= 0) return left;
  for (let side = 0, step = 0; right - left > closeEnough && step < 200; step += 1) {
    const middle = step % 4 === 3 ? (left + right) / 2 : (left * atRight - right * atLeft) / (atRight - atLeft);
    const found = rising(middle);
    if (Math.abs(found) < closeEnough) return middle;
    if (found > 0) {
      [right, atRight] = [middle, found];
      if (side === 1) atLeft /= 2;
      side = 1;
    } else {
      [left, atLeft] = [middle, found];
      if (side === -1) atRight /= 2;
      side = -1;
    }
  }
  return right;
}
