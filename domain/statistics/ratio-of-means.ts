/** The interval of one mean over another, made from the intervals of both. */
import type { Interval } from './interval.ts';

/** The method's name, as tables show it. */
export const ratioMethod = 'MOVER-R';

export interface MeanWithInterval {
  readonly value: number;
  readonly interval: Interval;
}

/**
 * Donner and Zou's method of variance recovery for a ratio (2012): each end takes as much of either interval as it takes when both are normal,
 * where it is Fieller's interval. Neither side may be negative. `hi` is null where the lower mean may be 0: no ratio is too large then.
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
  // The root's other form: it holds also where 2 b < bHi.
  const lo = loProduct === 0 ? 0 : loProduct / (atLo + root(atLo ** 2 - loProduct * bHi * (2 * b - bHi)));
  const bProduct = bLo * (2 * b - bLo);
  return { lo, hi: bProduct === 0 ? null : (atHi + root(atHi ** 2 - aHi * (2 * a - aHi) * bProduct)) / bProduct };
}

/** Rounding may carry a square below 0. */
const root = (square: number): number => Math.sqrt(Math.max(0, square));
