/** The interval of a ratio of two means, from the intervals of both. */
import type { Interval } from './interval.ts';

/** Name of the method in tables. */
export const ratioMethod = 'MOVER-R';

export interface MeanWithInterval {
  readonly value: number;
  readonly interval: Interval;
}

/**
 * Donner and Zou's method of variance recovery for a ratio (2012), which equals Fieller's interval if both means are
 * normal. Neither mean may be negative. `hi` is null if the denominator may be 0, so that no ratio is too large.
 * @param correlation of the two means
 */
export function ratioInterval(
  upper: MeanWithInterval,
  lower: MeanWithInterval,
  correlation: number,
): { readonly lo: number; readonly hi: number | null } {
  const [a, b] = [upper.value, lower.value];
  const [{ lo: aLo, hi: aHi }, { lo: bLo, hi: bHi }] = [upper.interval, lower.interval];
  const atLo = a * b - correlation * (a - aLo) * (bHi - b);
  const atHi = a * b - correlation * (aHi - a) * (b - bLo);
  const loProduct = aLo * (2 * a - aLo);
  // The other form of the root, which is also valid for 2 b < bHi.
  const lo = loProduct === 0 ? 0 : loProduct / (atLo + root(atLo ** 2 - loProduct * bHi * (2 * b - bHi)));
  const bProduct = bLo * (2 * b - bLo);
  return { lo, hi: bProduct === 0 ? null : (atHi + root(atHi ** 2 - aHi * (2 * a - aHi) * bProduct)) / bProduct };
}

/** Rounding may make a square negative. */
const root = (square: number): number => Math.sqrt(Math.max(0, square));
