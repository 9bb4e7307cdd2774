import { greatest, rounding } from '../rounding.ts';

/** Ranks from 1; values that are equal except for rounding share the mean of their ranks. */
export function midRanks(values: readonly number[]): number[] {
  const alike = rounding * greatest(values);
  const sorted = Float64Array.from(values).sort();
  const [distinct, ranks] = [new Float64Array(sorted.length), new Float64Array(sorted.length)];
  let count = 0;
  for (let start = 0; start < sorted.length; ) {
    const least = sorted[start] as number;
    let end = start;
    while (end + 1 < sorted.length && (sorted[end + 1] as number) - least <= alike) end += 1;
    for (let place = start; place <= end; place += 1) {
      if (place > start && sorted[place] === sorted[place - 1]) continue;
      distinct[count] = sorted[place] as number;
      ranks[count] = (start + end) / 2 + 1;
      count += 1;
    }
    start = end + 1;
  }
  return values.map((value) => ranks[placeIn(distinct, count, value)] as number);
}

/** Of a value that is there, among the first `count` ascending ones. A map of 100,000 numbers takes longer. */
function placeIn(distinct: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((distinct[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sizes of the groups of equal ranks, including groups of one. */
export function tieSizes(ranks: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return [...counts.values()];
}

/** Ranks by score: 1 for the greatest; equal scores share the mean of their ranks. */
export const placesOf = (scores: readonly number[]): number[] => midRanks(scores.map((score) => -score));

/** Sum of t^3 - t over the groups of equal ranks: the reduction of their variance by ties. */
export const tieCubes = (ranks: readonly number[]): number => tieSizes(ranks).reduce((sum, t) => sum + t ** 3 - t, 0);
