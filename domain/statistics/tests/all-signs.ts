/** The exact chance of sums with random signs, for sizes without a common step. */

/**
 * The share of all 2^n ways to set the signs of n sizes whose sum is at least `bound` from 0. The sums of each half of
 * the sizes are listed in order, and each of the first half is met by those of the second that carry it to the bound
 * (Horowitz and Sahni 1974): about 2^(n / 2) steps, and no rounding of the share up to 52 sizes. Example: of 1, 2, 3
 * and bound 4 it is 4 / 8.
 */
export function shareOfSigns(sizes: readonly number[], bound: number): number {
  if (bound <= 0) return 1;
  const half = sizes.length >> 1;
  const [first, second] = [orderedSums(sizes.slice(0, half)), orderedSums(sizes.slice(half))];
  // Inverting all signs inverts the sum, so those above 0 are counted twice.
  let [above, from] = [0, second.length];
  for (let at = 0; at < first.length; at += 1) {
    const needed = bound - (first[at] as number);
    while (from > 0 && (second[from - 1] as number) >= needed) from -= 1;
    above += second.length - from;
  }
  return (2 * above) / 2 ** sizes.length;
}

/** The sums of all ways to set the signs, ascending. */
function orderedSums(sizes: readonly number[]): Float64Array {
  let sums: Float64Array = Float64Array.of(0);
  for (const size of sizes) sums = withSigns(sums, size);
  return sums;
}

/** Merges the sums less the size with the sums plus the size. */
function withSigns(sums: Float64Array, size: number): Float64Array {
  const both = new Float64Array(2 * sums.length);
  let [less, plus] = [0, 0];
  let [low, high] = [(sums[0] as number) - size, (sums[0] as number) + size];
  for (let at = 0; at < both.length; at += 1) {
    if (low <= high) {
      both[at] = low;
      less += 1;
      // The lesser sums run out first, since each lies below its partner.
      low = less < sums.length ? (sums[less] as number) - size : Infinity;
    } else {
      both[at] = high;
      plus += 1;
      high = (sums[plus] as number) + size;
    }
  }
  return both;
}
