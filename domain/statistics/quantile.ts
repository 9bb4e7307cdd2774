/**
 * Quantile with linear interpolation between order statistics (Hyndman and Fan's type 7, the default of NumPy and R).
 * `sorted` is ascending and not empty; `p` lies in [0, 1]. Example: the 0.25 quantile of [1, 2, 3, 4] is 1.75.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0 || !(p >= 0 && p <= 1))
    throw new Error(`quantile needs values and p in [0, 1], got ${sorted.length} values and ${p}`);
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN;
  return low + (position - below) * (high - low);
}
