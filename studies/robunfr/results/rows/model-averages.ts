import { mean } from '../../../../domain/statistics/spread.ts';
import { deltaPercent } from '../../../../domain/metrics/delta.ts';
import type { MatchedAverages } from '../../../../domain/metrics/sides/matched-averages.ts';

/** AVG and STDEV of one model over its phrasings. */
export interface ModelSpread {
  readonly mean: number | null;
  readonly stdev: number | null;
}

export interface ModelAverage extends ModelSpread {
  /** Number of models with a mean. */
  readonly n: number;
}

/** The average over models (tables 5 and 6): the mean of their AVGs, and the mean of their STDEVs. */
export function averageOverModels(models: readonly ModelSpread[]): ModelAverage {
  const means = models.flatMap((model) => model.mean ?? []);
  const stdevs = models.flatMap(({ stdev }) => stdev ?? []);
  return { mean: mean(means), stdev: mean(stdevs), n: means.length };
}

export interface ChangeOverModels extends MatchedAverages {
  /** Computed from unrounded values. */
  readonly deltaPercent: number | null;
}

/** The change from the average of Function-Only, of the models that have both. */
export function changeOverModels(models: readonly MatchedAverages[]): ChangeOverModels {
  const [own, plain] = (['own', 'plain'] as const).map((side) => mean(models.flatMap((model) => model[side] ?? [])));
  return { own: own ?? null, plain: plain ?? null, deltaPercent: deltaPercent(own ?? null, plain ?? null) };
}
