/**
 * The interval of observed over expected disagreement of two-valued ratings. Kappa and alpha are 1 minus this ratio.
 */
import type { Interval } from './interval.ts';

/** Name of the method in tables and reports. */
export const disagreementRatioMethod =
  "Gaffke's bounds over tasks of the observed and of the expected disagreement, " +
  'put together by their logarithms (MOVER)';

/**
 * @param ratio its estimate
 * @param expected the disagreement expected by chance
 * @param observed interval of the observed disagreement
 * @param share interval of the share of one of the two values, on which the expected disagreement depends
 */
export function disagreementRatioInterval(
  ratio: number,
  expected: number,
  observed: Interval,
  share: Interval,
): Interval {
  const least = Math.min(chance(share.lo), chance(share.hi));
  const most = share.lo < 0.5 && share.hi > 0.5 ? 0.5 : Math.max(chance(share.lo), chance(share.hi));
  if (ratio <= 0) return { lo: 0, hi: observed.hi / least };
  const away = (up: number, down: number): number => Math.hypot(Math.log(Math.max(1, up)), Math.log(Math.max(1, down)));
  return {
    lo: ratio * Math.exp(-away((ratio * expected) / observed.lo, most / expected)),
    hi: ratio * Math.exp(away(observed.hi / (ratio * expected), expected / least)),
  };
}

/** The probability that two independent ratings differ if each has the first value with probability `share`. */
const chance = (share: number): number => 2 * share * (1 - share);
