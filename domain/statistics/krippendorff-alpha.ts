/**
 * Krippendorff's alpha for nominal values (Krippendorff 2011): 1 - observed / expected disagreement among the values
 * that can be paired.
 * @param units values of each unit, one per coder; null if a coder gave none. Units with fewer than two values are not
 *   paired
 * @returns null if nothing can be paired, or only one value occurs, so that no disagreement is expected
 */
export function krippendorffAlpha(units: readonly (readonly (string | number | boolean | null)[])[]): number | null {
  const paired = units.map((unit) => unit.filter((value) => value !== null)).filter((unit) => unit.length >= 2);
  const totals = new Map<string | number | boolean, number>();
  let observed = 0;
  let n = 0;
  for (const unit of paired) {
    const counts = new Map<string | number | boolean, number>();
    for (const value of unit) counts.set(value, (counts.get(value) ?? 0) + 1);
    const pairs = [...counts.values()].reduce((sum, count) => sum + count * (unit.length - count), 0);
    observed += pairs / (unit.length - 1);
    n += unit.length;
    for (const [value, count] of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  }
  const expected = [...totals.values()].reduce((sum, count) => sum + count * (n - count), 0);
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
}
