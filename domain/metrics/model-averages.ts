import { mean } from '../statistics/spread.ts';
import { deltaPercent } from './delta.ts';

/** AVG and STDEV of one model over its phrasings. */
export interface ModelSpread {
  readonly mean: number | null;
  readonly stdev: number | null;
}

export interface ModelAverage extends ModelSpread {
  /** Against the Function-Only average, both unrounded. */
  readonly deltaPercent: number | null;
  /** Models that have a mean. */
  readonly n: number;
}

/** The average over models (tables 5 and 6): the mean of their AVGs, and the mean of their STDEVs. */
export function averageOverModels(models: readonly ModelSpread[], functionOnly: readonly ModelSpread[]): ModelAverage {
  const means = meansOf(models);
  const average = mean(means);
  const stdevs = models.flatMap(({ stdev }) => (stdev === null ? [] : [stdev]));
  return { mean: average, stdev: mean(stdevs), deltaPercent: deltaPercent(average, mean(meansOf(functionOnly))), n: means.length };
}

const meansOf = (models: readonly ModelSpread[]): number[] => models.flatMap((model) => (model.mean === null ? [] : [model.mean]));
