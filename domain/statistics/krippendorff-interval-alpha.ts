import { isConstant } from './rounding.ts';
import { mean } from './spread.ts';

/**
 * Krippendorff's alpha for numbers on an interval scale (Krippendorff 2011): 1 - observed / expected disagreement,
 * where two values disagree by their squared difference.
 * @param units values of each unit, one per coder; null if a coder gave none. Units with fewer than two values are not
 *   paired
 * @returns 1 if all pairs agree, 0 as by chance, at least -1; null if nothing can be paired, or all values are equal,
 *   so that no disagreement is expected
 * @example [[0.2, 0.4], [0.6, 0.6], [1, 0.8]] gives 5/6
 */
export function krippendorffIntervalAlpha(units: readonly (readonly (number | null)[])[]): number | null {
  const paired = units.map((unit) => unit.filter((value) => value !== null)).filter(({ length }) => length >= 2);
  const all = paired.flat();
  const expected = squares(all);
  // Rounding alone is no disagreement.
  if (isConstant(all)) return null;
  const observed = paired.reduce((sum, unit) => sum + (unit.length * squares(unit)) / (unit.length - 1), 0);
  return 1 - ((all.length - 1) * observed) / (all.length * expected);
}

/** Sum of squared deviations from the mean. */
function squares(values: readonly number[]): number {
  const middle = mean(values) ?? 0;
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}
