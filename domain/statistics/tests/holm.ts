/**
 * P-values adjusted for a whole family of tests (Holm 1979): each may be compared with the family's alpha, and the
 * probability of any false alarm stays below it. Null is a test that was not possible: it stays null and is not a
 * member of the family.
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
