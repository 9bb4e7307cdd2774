/**
 * P-values adjusted so that among what is called significant at alpha at most that share is false on average (Benjamini and Hochberg 1995). Null
 * stands for a test that could not be made: it stays null and is no member of the family.
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
