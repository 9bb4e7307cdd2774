/** A two-sided confidence interval. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

/** From the lower of the lower ends to the higher of the upper ends. */
export const hullOf = (one: Interval, other: Interval): Interval => ({
  lo: Math.min(one.lo, other.lo),
  hi: Math.max(one.hi, other.hi),
});

/** Default confidence level: the share of such intervals that contain the true value. */
export const defaultLevel = 0.95;

/** The probability beyond each end. Throws unless 0 < level < 1. */
export function tailOf(level: number): number {
  if (!(level > 0 && level < 1)) throw new Error(`a confidence level must be between 0 and 1, got ${level}`);
  return (1 - level) / 2;
}
