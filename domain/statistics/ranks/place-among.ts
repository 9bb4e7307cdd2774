/**
 * The rank of a new score among `others`, from 1 (above all) to others + 1; each tie counts half a rank.
 */
export function placeAmong(score: number, others: readonly number[]): number {
  const above = others.filter((other) => other > score).length;
  const tied = others.filter((other) => other === score).length;
  return 1 + above + tied / 2;
}
