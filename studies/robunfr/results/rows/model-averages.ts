import { mean } from '../../../../domain/statistics/spread.ts';
import { deltaPercent } from '../../../../domain/metrics/delta.ts';

/** AVG and STDEV of one model over its phrasings. */
export interface ModelSpread {
  readonly mean: number | null;
  readonly stdev: number | null;
}

export interface ModelAverage extends ModelSpread {
  /** Change from the Function-Only average, in percent; computed from unrounded values. */
  readonly deltaPercent: number | null;
  /** Number of models with a mean. */
  readonly n: number;
}

/** The average over models (tables 5 and 6): the mean of their AVGs, and the mean of their STDEVs. */
export function averageOverModels(models: readonly ModelSpread[], functionOnly: readonly ModelSpread[]): ModelAverage {
  const means = meansOf(models);
  const average = mean(means);
  const stdevs = models.flatMap(({ stdev }) => (stdev === null ? [] : [stdev]));
  return {
    mean: average,
    stdev: mean(stdevs),
    deltaPercent: deltaPercent(average, mean(meansOf(functionOnly))),
    n: means.length,
  };
}

const meansOf = (models: readonly ModelSpread[]): number[] =>
  models.flatMap((model) => (model.mean === null ? [] : [model.mean]));
