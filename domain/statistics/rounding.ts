/**
 * Where a difference is none: sums of the same fractions in another order differ by some 1e-16 of the greatest, and must still tie in ranks, signs
 * and tests. And where numbers are too large or too small to be squared.
 */

/** Share of the greatest value up to which a difference is rounding alone. */
export const rounding = 1e-12;

/** The greatest absolute value; 0 of none. */
export const greatest = (values: readonly number[]): number => values.reduce((found, value) => Math.max(found, Math.abs(value)), 0);

/** `now - old`, 0 where rounding alone sets them apart. */
export function difference(now: number, old: number): number {
  return Math.abs(now - old) <= rounding * Math.max(Math.abs(now), Math.abs(old)) ? 0 : now - old;
}

/** Whether rounding alone sets the values apart. */
export const isConstant = (values: readonly number[]): boolean => {
  const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  return values.length === 0 || most - least <= rounding * greatest(values);
};

/** Between these the square and the fourth power of a value are numbers. */
const [smallUnit, largeUnit] = [1e-60, 1e60];

/**
 * A power of two near the greatest value where squares of the values would overflow or vanish, else 1: in this unit they do not, and the division
 * rounds nothing.
 */
export function unitOf(values: readonly number[]): number {
  const size = greatest(values);
  if (size === 0 || !Number.isFinite(size) || (size >= smallUnit && size <= largeUnit)) return 1;
  return 2 ** Math.max(-1_022, Math.floor(Math.log2(size)));
}
