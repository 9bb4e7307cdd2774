/**
 * P-values adjusted for testing a whole family (Holm 1979): each may be compared with the family's alpha, and the chance of any false alarm
 * stays below it. Null stands for a test that could not be made: it stays null and is no member of the family.
 */
export function holmAdjusted(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, index) => (p === null ? [] : [{ p, index }])).toSorted((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  for (const [rank, { p, index }] of tests.entries()) {
    largest = Math.max(largest, Math.min(1, p * (tests.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
