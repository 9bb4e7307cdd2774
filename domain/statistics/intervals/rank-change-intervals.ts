/** Ranges and intervals for comparisons of two rankings of the same models. */
import { type BootstrapOptions, percentileInterval, resampledValues } from './bootstrap.ts';
import { kendallInterval, spearmanInterval } from './correlation-interval.ts';
import { kendallTau } from '../ranks/kendall.ts';
import { spearmanRho } from '../ranks/spearman.ts';
import type { Interval } from './interval.ts';
import { rankChanges } from '../ranks/rank-changes.ts';
import { placesOf } from '../ranks/ranks.ts';

/** Two scores per model, in the same order; more is better. */
export interface ScorePair {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Shares lie in [0, 1]; null if undefined for the pair. */
export interface RankChangeShares {
  readonly changedShare: number | null;
  readonly largeShare: number | null;
  readonly meanAbsolute: number | null;
  readonly reversedShare: number | null;
  readonly spearman: number | null;
  readonly kendall: number | null;
}

export function rankChangeShares({ before, after }: ScorePair): RankChangeShares {
  const { models, changed, large, meanAbsolute, pairs, reversed } = rankChanges(placesOf(before), placesOf(after));
  return {
    changedShare: models === 0 ? null : changed / models,
    largeShare: models === 0 ? null : large / models,
    meanAbsolute,
    reversedShare: pairs === 0 ? null : reversed / pairs,
    spearman: spearmanRho(before, after),
    kendall: kendallTau(before, after),
  };
}

export type RankChangeIntervals = { readonly [Name in keyof RankChangeShares]: DrawnInterval };

export interface DrawnInterval {
  readonly interval: Interval | null;
  /** Draws in which the value was defined, which the range is over; 0 for an interval that needs no draws. */
  readonly draws: number;
}

/**
 * For the counts: ranges over whole clusters (tasks) drawn with replacement. A draw moves models even if the rankings
 * agree, so the lower ends are above 0 however similar the rankings are. They show how far the count depends on the
 * tasks, and are not a test against 0. For the two correlations: confidence intervals over models, as wherever models
 * are ranked twice.
 * @param scoresOf null if a score is undefined in the draw; it must not keep the array it is given
 */
export function rankChangeIntervals<Cluster>(
  clusters: readonly Cluster[],
  scoresOf: (drawn: readonly Cluster[]) => ScorePair | null,
  options: BootstrapOptions,
): RankChangeIntervals {
  const estimator = (drawn: readonly Cluster[]): RankChangeShares | null => {
    const scores = scoresOf(drawn);
    return scores === null ? null : rankChangeShares(scores);
  };
  const drawn = resampledValues(clusters, estimator, options);
  const of = (name: keyof RankChangeShares): DrawnInterval => {
    const values = drawn.flatMap((shares) => shares[name] ?? []);
    return { interval: percentileInterval(values, options.level), draws: values.length };
  };
  const scores = scoresOf(clusters);
  const overModels = (interval: typeof spearmanInterval): DrawnInterval => ({
    interval: scores === null ? null : interval(scores.before, scores.after),
    draws: 0,
  });
  return {
    changedShare: of('changedShare'),
    largeShare: of('largeShare'),
    meanAbsolute: of('meanAbsolute'),
    reversedShare: of('reversedShare'),
    spearman: overModels(spearmanInterval),
    kendall: overModels(kendallInterval),
  };
}
