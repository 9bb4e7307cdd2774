/** RQ4: a model's confidence by token position: the mean log-probability of the tokens at each position. */
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { assumedRange } from '../../../../domain/statistics/intervals/assumed-range.ts';
import type { ClusterSum } from '../../../../domain/statistics/intervals/ratio-estimate.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';

/** Minimum assumed range below the mean for tasks that were not seen: a token with a third of the probability. */
const least = 1;

/**
 * Interval of a mean over tokens: Gaffke's bounds of the tasks' means, each weighted by its tokens. Log-probabilities
 * have no lower limit, so the range is assumed to reach as far below the lowest task as the tasks' range is wide, and
 * up to 0. Null without a token.
 * @param tasks the sum of each task's log-probabilities and their number
 */
export function trajectoryInterval(tasks: readonly ClusterSum[]): Interval | null {
  const used = tasks.filter(({ n }) => n > 0);
  if (used.length === 0) return null;
  const means = used.map(({ sum, n }) => Math.min(0, sum / n));
  return boundedMeanInterval(means, { lo: assumedRange(means, least).lo, hi: 0 }, { weights: used.map(({ n }) => n) });
}
