/** A two-sided interval at the level that its maker was given. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

/** The level's name in every table: the share of such intervals that hold the truth. */
export const defaultLevel = 0.95;

/** The share left out on each side. Throws unless 0 < level < 1. */
export function tailOf(level: number): number {
  if (!(level > 0 && level < 1)) throw new Error(`a confidence level lies between 0 and 1, got ${level}`);
  return (1 - level) / 2;
}
