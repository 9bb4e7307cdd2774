/** The exact p of a correlation over few pairs, from all pairings. */
import { rounding } from '../rounding.ts';

/** Up to this many pairs p is exact: 9 pairs have 362,880 orders. */
export const countedPairs = 9;

/**
 * The share of all orders of the second side in which the statistic is at least as far from 0 as in the given order.
 * The statistic must be a sum over places: `gain(order, place)` is what the value at `place` adds once the places
 * before it are set; `order[place]` is the index of that value.
 */
export function permutationP(n: number, gain: (order: readonly number[], place: number) => number): number {
  const order = Array.from({ length: n }, (_, place) => place);
  const sizes = order.map((_, place) => gain(order, place));
  const observed = Math.abs(sizes.reduce((sum, size) => sum + size, 0));
  const bound = observed - rounding * sizes.reduce((sum, size) => sum + Math.abs(size), 0);
  let [asFar, all] = [0, 0];
  const place = (at: number, sum: number): void => {
    if (at === n) {
      all += 1;
      if (Math.abs(sum) >= bound) asFar += 1;
      return;
    }
    for (let other = at; other < n; other += 1) {
      swap(order, at, other);
      place(at + 1, sum + gain(order, at));
      swap(order, at, other);
    }
  };
  place(0, 0);
  return asFar / all;
}

function swap(order: number[], a: number, b: number): void {
  [order[a], order[b]] = [order[b] as number, order[a] as number];
}

/** The smallest two-sided p of a permutation test over n pairs: one order and its reverse. */
export function smallestPermutationP(n: number): number {
  let orders = 1;
  for (let size = 2; size <= n; size += 1) orders *= size;
  return Math.min(1, 2 / orders);
}

/**
 * 1 / the number of ways to assign values to groups of these sizes: the smallest share in a permutation test of groups.
 */
export function shareOfOneDeal(sizes: readonly number[]): number {
  let [share, dealt] = [1, 0];
  for (const size of sizes)
    for (let place = 1; place <= size; place += 1) {
      dealt += 1;
      share *= place / dealt;
    }
  return share;
}
