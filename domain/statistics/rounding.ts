/**
 * Where a difference is none: sums of the same fractions in another order differ by some 1e-16 of the greatest, and must still tie in ranks, signs
 * and tests.
 */

/** Share of the greatest value up to which a difference is rounding alone. */
export const rounding = 1e-12;

/** The greatest absolute value; 0 of none. */
export const greatest = (values: readonly number[]): number => values.reduce((found, value) => Math.max(found, Math.abs(value)), 0);

/** `now - old`, 0 where rounding alone sets them apart. */
export function difference(now: number, old: number): number {
  return Math.abs(now - old) <= rounding * Math.max(Math.abs(now), Math.abs(old)) ? 0 : now - old;
}

/** Whether values vary by more than rounding, as measured by their variance. */
export const varies = (values: readonly number[], variance: number): boolean => Math.sqrt(variance) > rounding * greatest(values);
