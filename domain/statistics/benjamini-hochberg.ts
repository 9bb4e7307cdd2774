/** Benjamini and Hochberg's corrected p: the smallest false discovery rate at which each is still found. */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).toSorted((a, b) => (ps[b] as number) - (ps[a] as number));
  const corrected = new Array<number>(ps.length);
  let least = 1;
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((ps[index] as number) * ps.length) / (ps.length - place));
    corrected[index] = least;
  }
  return corrected;
}
