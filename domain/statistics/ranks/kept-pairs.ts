/**
 * Correlations of many pairs with some of them left out, for the jackknife: the pairs are sorted once, and each set of
 * kept pairs takes its ranks from that order.
 */
import { clamp, pairsOf } from '../pairs.ts';
import { rounding, unitOf } from '../rounding.ts';
import { discordantPairs } from './kendall.ts';

/** Each is over the kept pairs, those with a 1; null for fewer than two or if a side is constant. */
export interface KeptPairs {
  readonly pearsonR: (kept: Uint8Array) => number | null;
  readonly spearmanRho: (kept: Uint8Array) => number | null;
  /** Tau-b. */
  readonly kendallTau: (kept: Uint8Array) => number | null;
  /** 1 - R² of x as a prediction of y: the squared errors over the squared distances of y from its mean. */
  readonly unexplained: (kept: Uint8Array) => number | null;
}

export function keptPairs(first: readonly number[], second: readonly number[]): KeptPairs {
  pairsOf(first, second);
  const unit = unitOf([...first, ...second]);
  const [x, y] = [sideOf(first, unit), sideOf(second, unit)];
  return {
    pearsonR: (kept) => correlation(x.values, y.values, kept),
    spearmanRho: (kept) => {
      setRanks(x, kept);
      setRanks(y, kept);
      return correlation(x.ranks, y.ranks, kept);
    },
    kendallTau: (kept) => tauOf(x, y, kept),
    unexplained: (kept) => unexplainedShare(x.values, y.values, kept),
  };
}

interface Side {
  readonly values: Float64Array;
  /** Places of the values in ascending order. */
  readonly order: Int32Array;
  /** Mid-ranks among the kept values, which `setRanks` sets. */
  readonly ranks: Float64Array;
  /** How many kept values are below those of the same rank, which `setRanks` sets. */
  readonly below: Int32Array;
}

function sideOf(given: readonly number[], unit: number): Side {
  const values = Float64Array.from(given, (value) => value / unit);
  const order = Int32Array.from(values.keys()).sort((a, b) => (values[a] as number) - (values[b] as number));
  return { values, order, ranks: new Float64Array(values.length), below: new Int32Array(values.length) };
}

/** Ranks from 1, as `midRanks` gives them. Returns the number of pairs of equal values. */
function setRanks({ values, order, ranks, below }: Side, kept: Uint8Array): number {
  const sorted = order.filter((place) => kept[place] === 1);
  const valueAt = (index: number): number => values[sorted[index] as number] as number;
  const alike =
    sorted.length === 0 ? 0 : rounding * Math.max(Math.abs(valueAt(0)), Math.abs(valueAt(sorted.length - 1)));
  let tied = 0;
  for (let start = 0; start < sorted.length; ) {
    const least = valueAt(start);
    let end = start;
    while (end + 1 < sorted.length && valueAt(end + 1) - least <= alike) end += 1;
    for (let index = start; index <= end; index += 1) {
      ranks[sorted[index] as number] = (start + end) / 2 + 1;
      below[sorted[index] as number] = start;
    }
    tied += ((end - start + 1) * (end - start)) / 2;
    start = end + 1;
  }
  return tied;
}

/** Pearson's r. */
function correlation(x: Float64Array, y: Float64Array, kept: Uint8Array): number | null {
  const [ofX, ofY] = [momentsOf(x, kept), momentsOf(y, kept)];
  if (ofX.n < 2 || ofX.constant || ofY.constant) return null;
  const unit = { x: ofX.farthest, y: ofY.farthest };
  let [products, squaresX, squaresY] = [0, 0, 0];
  for (let place = 0; place < x.length; place += 1) {
    if (kept[place] === 0) continue;
    const [dx, dy] = [((x[place] as number) - ofX.mean) / unit.x, ((y[place] as number) - ofY.mean) / unit.y];
    products += dx * dy;
    squaresX += dx * dx;
    squaresY += dy * dy;
  }
  return clamp(products / Math.sqrt(squaresX * squaresY));
}

interface Moments {
  readonly n: number;
  readonly mean: number;
  /** The greatest distance from the mean. */
  readonly farthest: number;
  /** Whether the values differ only by rounding. */
  readonly constant: boolean;
}

function momentsOf(values: Float64Array, kept: Uint8Array): Moments {
  let [n, sum, least, most] = [0, 0, Infinity, -Infinity];
  for (let place = 0; place < values.length; place += 1) {
    if (kept[place] === 0) continue;
    const value = values[place] as number;
    n += 1;
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const mean = sum / n;
  const constant = n === 0 || most - least <= rounding * Math.max(Math.abs(least), Math.abs(most));
  return { n, mean, farthest: Math.max(mean - least, most - mean), constant };
}

function tauOf(x: Side, y: Side, kept: Uint8Array): number | null {
  const [tiedX, tiedY] = [setRanks(x, kept), setRanks(y, kept)];
  // By x, and by y for equal x: values that come in the order of y take the next place of their rank in x.
  const next = Int32Array.from(x.below.keys());
  const n = kept.reduce((sum, one) => sum + one, 0);
  const [ranksX, ranksY] = [new Float64Array(n), new Float64Array(n)];
  for (const place of y.order) {
    if (kept[place] === 0) continue;
    const start = x.below[place] as number;
    const at = next[start] as number;
    next[start] = at + 1;
    ranksX[at] = x.ranks[place] as number;
    ranksY[at] = y.ranks[place] as number;
  }
  const pairs = (n * (n - 1)) / 2;
  if (pairs === tiedX || pairs === tiedY) return null;
  const untied = pairs - tiedX - tiedY + tiedInBoth(ranksX, ranksY);
  return clamp((untied - 2 * discordantPairs(ranksY)) / Math.sqrt((pairs - tiedX) * (pairs - tiedY)));
}

/** Number of pairs of equal values on both sides; equal ones are next to each other. */
function tiedInBoth(x: Float64Array, y: Float64Array): number {
  let [pairs, run] = [0, 0];
  for (let place = 1; place < x.length; place += 1) {
    run = x[place] === x[place - 1] && y[place] === y[place - 1] ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

function unexplainedShare(x: Float64Array, y: Float64Array, kept: Uint8Array): number | null {
  const { n, mean, constant } = momentsOf(y, kept);
  if (n === 0 || constant) return null;
  let [errors, total] = [0, 0];
  for (let place = 0; place < y.length; place += 1) {
    if (kept[place] === 0) continue;
    errors += ((y[place] as number) - (x[place] as number)) ** 2;
    total += ((y[place] as number) - mean) ** 2;
  }
  return total === 0 ? null : errors / total;
}
