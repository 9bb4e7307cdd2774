/** The p of a correlation over so few pairs that every way to pair them can be tried. */
import { rounding } from './rounding.ts';

/** Up to so many pairs p is counted: 9 pairs have 362,880 orders. */
export const countedPairs = 9;

/**
 * The share of all orders of the second side in which the statistic lies as far from 0 as in the given order. Of a statistic that adds up place by
 * place: `gain(order, place)` is what the value at `place` adds once the places before it are set; `order[place]` says which value it is.
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

/** No permutation test over n pairs has a smaller two-sided p: one order, and the one turned round. */
export function smallestPermutationP(n: number): number {
  let orders = 1;
  for (let size = 2; size <= n; size += 1) orders *= size;
  return Math.min(1, 2 / orders);
}

/** One way to deal values out to groups of these sizes, among all ways: the smallest share that a permutation test of groups can come to. */
export function shareOfOneDeal(sizes: readonly number[]): number {
  let [share, dealt] = [1, 0];
  for (const size of sizes)
    for (let place = 1; place <= size; place += 1) {
      dealt += 1;
      share *= place / dealt;
    }
  return share;
}
