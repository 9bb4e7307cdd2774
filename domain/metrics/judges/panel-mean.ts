import { mean } from '../../statistics/spread.ts';

/**
 * The score of a break by several judges: the mean over the judges of each one's mean over its repeats. Repeats without
 * a score, and judges that have none, do not count; null if nobody has one. Example: 0.2 and 0.4 by one judge and 0.9
 * by another give 0.6.
 * @param scores by judge, then by repeat
 */
export const panelMean = (scores: readonly (readonly (number | null)[])[]): number | null =>
  mean(scores.flatMap((repeats) => judgeMean(repeats) ?? []));

/** A judge's score of a break: the mean over its repeats that have one. */
export const judgeMean = (repeats: readonly (number | null)[]): number | null =>
  mean(repeats.flatMap((score) => score ?? []));
