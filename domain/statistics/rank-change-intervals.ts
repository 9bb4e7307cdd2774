/** Ranges and intervals for what two rankings of the same models say about each other. */
import { type BootstrapOptions, percentileInterval, resampledValues } from './bootstrap.ts';
import { kendallInterval, spearmanInterval } from './correlation-interval.ts';
import { kendallTau } from './kendall.ts';
import { spearmanRho } from './spearman.ts';
import type { Interval } from './interval.ts';
import { rankChanges } from './rank-changes.ts';
import { placesOf } from './ranks.ts';

/** Two scores per model, in the same order; more is better. */
export interface ScorePair {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Shares lie in [0, 1]; null where the pair leaves one undefined. */
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
  /** Draws in which the value was defined: those that the range is over; 0 of an interval that needs none. */
  readonly draws: number;
}

/**
 * Of the counts ranges over whole clusters (tasks) drawn with replacement. A draw moves models even where the rankings agree, so their lower ends
 * lie above 0 however alike the rankings are: read them as how far the count depends on the tasks, not as a test against none. Of the two
 * correlations confidence intervals over models, as wherever models are ranked twice.
 * @param scoresOf null where the draw leaves a score undefined; it must not keep the array it is given
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
