/** RQ4: how sure a model is along its answers: the mean log-probability of the tokens at each place. */
import { boundedMeanInterval } from '../../statistics/bounded-mean.ts';
import { assumedRange } from '../../statistics/assumed-range.ts';
import type { ClusterSum } from '../../statistics/ratio-estimate.ts';
import type { Interval } from '../../statistics/interval.ts';

/** How far a task may lie below the mean that was not seen: a token of a third of the chance. */
const least = 1;

/**
 * Of a mean over tokens whose log-probabilities have no lower limit: Gaffke's bounds of the tasks' means, each weighted by its tokens, from as far again below the
 * lowest as the tasks lie apart up to 0. Null without a token.
 * @param tasks of each the sum of its log-probabilities and their number
 */
export function trajectoryInterval(tasks: readonly ClusterSum[]): Interval | null {
  const used = tasks.filter(({ n }) => n > 0);
  if (used.length === 0) return null;
  const means = used.map(({ sum, n }) => Math.min(0, sum / n));
  return boundedMeanInterval(means, { lo: assumedRange(means, least).lo, hi: 0 }, { weights: used.map(({ n }) => n) });
}
