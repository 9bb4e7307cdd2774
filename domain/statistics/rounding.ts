/**
 * Rounding: sums of the same fractions in another order differ by about 1e-16 of the greatest value, but must still tie
 * in ranks, signs and tests. Also a unit for numbers that are too large or too small to be squared.
 */

/** Differences up to this share of the greatest value count as rounding. */
export const rounding = 1e-12;

/** The greatest absolute value; 0 for an empty list. */
export const greatest = (values: readonly number[]): number =>
  values.reduce((found, value) => Math.max(found, Math.abs(value)), 0);

/**
 * `now - old`, or 0 if they differ only by rounding.
 * @param size of the terms that the values are sums of: a difference of two equal areas may be 1e-17 instead of 0
 */
export function difference(now: number, old: number, size = 0): number {
  return Math.abs(now - old) <= rounding * Math.max(Math.abs(now), Math.abs(old), size) ? 0 : now - old;
}

/** Whether the values differ only by rounding. */
export const isConstant = (values: readonly number[]): boolean => {
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  return values.length === 0 || most - least <= rounding * greatest(values);
};

/** Between these the square and the fourth power of a value are numbers. */
const [smallUnit, largeUnit] = [1e-60, 1e60];

/**
 * A power of two near the greatest value if squares of the values would overflow or underflow, else 1. In this unit
 * they do not, and the division is exact.
 */
export function unitOf(values: readonly number[]): number {
  const size = greatest(values);
  if (size === 0 || !Number.isFinite(size) || (size >= smallUnit && size <= largeUnit)) return 1;
  return 2 ** Math.max(-1_022, Math.floor(Math.log2(size)));
}
