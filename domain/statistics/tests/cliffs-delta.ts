import { midRanks } from '../ranks/ranks.ts';

/** Cliff's delta: probability that a value of the first group is greater, minus that it is smaller; -1 to 1. */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  const ranks = midRanks([...first, ...second]);
  const u = ranks.slice(0, first.length).reduce((sum, rank) => sum + rank, 0) - (first.length * (first.length + 1)) / 2;
  return (2 * u) / (first.length * second.length) - 1;
}
