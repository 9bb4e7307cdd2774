/**
 * P-values adjusted so that, on average, at most a share alpha of the results significant at alpha is false (Benjamini
 * and Hochberg 1995). Null is a test that was not possible: it stays null and is not a member of the family.
 */
export function benjaminiHochberg(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, index) => (p === null ? [] : [{ p, index }])).toSorted((a, b) => b.p - a.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let smallest = 1;
  for (const [place, { p, index }] of tests.entries()) {
    smallest = Math.min(smallest, (p * tests.length) / (tests.length - place));
    adjusted[index] = smallest;
  }
  return adjusted;
}
