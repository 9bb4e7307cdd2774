/** Tests whether groups of models differ. A model is one observation, however many tasks it was asked. */
import { uniform } from '../../random.ts';
import { midRanks } from '../ranks/ranks.ts';
import { rounding } from '../rounding.ts';

export interface GroupPermutation {
  /** Null if no result could be below alpha, or there are fewer than two groups. */
  readonly p: number | null;
  /** The smallest p possible with these numbers of observations; null for fewer than two groups. */
  readonly leastP: number | null;
  /** Observations: models. */
  readonly n: number;
  readonly reason: string | null;
}

/** If there are at most this many ways to assign observations to groups, all are tried; else this many are drawn. */
const mostWays = 20_000;
const draws = 9_999;

/**
 * The Kruskal-Wallis statistic under all ways to assign observations to groups of the same sizes: p is the share of
 * ways in which the groups lie at least as far apart. It only assumes that the observations are exchangeable. Example:
 * 1, 2 | 3, 4 has p = 2 / 6.
 * @param groups the observations of each group @param alpha above this least p there is no test
 */
export function groupPermutation(
  groups: readonly (readonly number[])[],
  { alpha, seed }: { readonly alpha: number; readonly seed: number },
): GroupPermutation {
  const there = groups.filter(({ length }) => length > 0);
  const n = there.reduce((sum, { length }) => sum + length, 0);
  if (there.length < 2)
    return { p: null, leastP: null, n, reason: 'cannot be tested: fewer than two groups with a model' };
  const sizes = there.map(({ length }) => length);
  const ranks = midRanks(there.flat());
  const observed = apart(sizes, ranks);
  const ways = waysOf(sizes);
  const values = ways <= mostWays ? allWays(sizes, ranks) : drawnWays(sizes, ranks, seed);
  const top = values.reduce((most, value) => Math.max(most, value), observed);
  const share = (bar: number): number => {
    const asFar = values.filter((value) => value >= bar * (1 - rounding)).length;
    return ways <= mostWays ? asFar / values.length : (1 + asFar) / (1 + values.length);
  };
  const leastP = share(top);
  if (leastP <= alpha) return { p: share(observed), leastP, n, reason: null };
  const reason =
    `cannot be tested: of ${n} models in groups of ${sizes.join(', ')} the smallest possible p is ` +
    `${Number(leastP.toPrecision(3))}, above ${alpha}`;
  return { p: null, leastP, n, reason };
}

/** Sum over groups of squared rank sum / size, which is H except for constants. */
function apart(sizes: readonly number[], ranks: readonly number[]): number {
  let [total, start] = [0, 0];
  for (const size of sizes) {
    const sum = ranks.slice(start, start + size).reduce((all, rank) => all + rank, 0);
    total += sum ** 2 / size;
    start += size;
  }
  return total;
}

/** The multinomial coefficient. */
function waysOf(sizes: readonly number[]): number {
  let [ways, placed] = [1, 0];
  for (const size of sizes)
    for (let one = 1; one <= size; one += 1) {
      placed += 1;
      ways = (ways * placed) / one;
    }
  return Math.round(ways);
}

function allWays(sizes: readonly number[], ranks: readonly number[]): number[] {
  const left = [...sizes];
  const sums = sizes.map(() => 0);
  const values: number[] = [];
  const deal = (place: number): void => {
    if (place === ranks.length) {
      values.push(sums.reduce((total, sum, group) => total + sum ** 2 / (sizes[group] as number), 0));
      return;
    }
    for (let group = 0; group < sizes.length; group += 1) {
      if (left[group] === 0) continue;
      left[group] = (left[group] as number) - 1;
      sums[group] = (sums[group] as number) + (ranks[place] as number);
      deal(place + 1);
      left[group] = (left[group] as number) + 1;
      sums[group] = (sums[group] as number) - (ranks[place] as number);
    }
  };
  deal(0);
  return values;
}

function drawnWays(sizes: readonly number[], ranks: readonly number[], seed: number): number[] {
  const random = uniform(seed);
  const drawn = [...ranks];
  return Array.from({ length: draws }, () => {
    for (let place = drawn.length - 1; place > 0; place -= 1) {
      const other = Math.floor(random() * (place + 1));
      [drawn[place], drawn[other]] = [drawn[other] as number, drawn[place] as number];
    }
    return apart(sizes, drawn);
  });
}
