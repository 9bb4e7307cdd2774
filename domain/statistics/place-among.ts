/** The place that a newcomer's score takes among `others`, 1 (above all) to others + 1; half a place for each that it ties with. */
export function placeAmong(score: number, others: readonly number[]): number {
  const above = others.filter((other) => other > score).length;
  const tied = others.filter((other) => other === score).length;
  return 1 + above + tied / 2;
}
