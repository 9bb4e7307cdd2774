/**
 * Whether another summary prompt or temperature ranks the models differently (EVALOOP,
 * sections 3.4 and 4.3; tables 3 and 4).
 */
import {
  concordanceInterval,
  correlationInterval,
  spearmanInterval,
} from '../../../../domain/statistics/intervals/correlation-interval.ts';
import { type IccIntervals, iccIntervals } from '../../../../domain/statistics/intervals/icc-interval.ts';
import { spearmanRho } from '../../../../domain/statistics/ranks/spearman.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import {
  type IntraclassCorrelation,
  intraclassCorrelation,
  kendallW,
} from '../../../../domain/statistics/ranks/rank-agreement.ts';
import { placesOf } from '../../../../domain/statistics/ranks/ranks.ts';

/** Scores of the models under one setting, always in the same order; null for a missing score. */
export interface SettingScores {
  readonly setting: string;
  readonly scores: readonly (number | null)[];
}

export interface ReliableModel {
  readonly model: string;
  /** Place in the baseline, 1 is best; tied models share the mean of their places. */
  readonly baselinePlace: number;
  /** Place per setting, in the settings' order. */
  readonly places: readonly number[];
  /** Mean of `places`, without the baseline. */
  readonly averagePlace: number;
}

export interface Reliability {
  readonly models: readonly ReliableModel[];
  /** Models without a score under some setting: they are not ranked. */
  readonly leftOut: readonly string[];
  /**
   * Correlation of baseline place and average place, as in tables 3 and 4. Null with fewer than two models, or if all
   * models are tied on one side.
   */
  readonly spearman: number | null;
  /** Interval of `spearman` over models; null for fewer than five. Still wide with 13 models. */
  readonly interval: Interval | null;
  /** Correlation of the baseline with each single setting. */
  readonly bySetting: readonly {
    readonly setting: string;
    readonly spearman: number | null;
    readonly interval: Interval | null;
  }[];
  /** Over the baseline and all settings. */
  readonly kendallW: number | null;
  readonly kendallWInterval: Interval | null;
  readonly icc: IntraclassCorrelation | null;
  readonly iccIntervals: IccIntervals | null;
}

/**
 * Higher scores are better. Throws without settings, or if a setting's number of scores differs
 * from the number of models.
 */
export function reliability(
  models: readonly string[],
  baseline: SettingScores,
  settings: readonly SettingScores[],
): Reliability {
  const all = [baseline, ...settings];
  checked(models, all);
  const kept = models.map((_, model) => model).filter((model) => all.every(({ scores }) => scores[model] !== null));
  const table = all.map(({ scores }) => kept.map((model) => scores[model] as number));
  const ranked = rankedModels(models, all, kept);
  return {
    models: ranked,
    leftOut: models.filter((_, model) => !kept.includes(model)),
    spearman: placeCorrelation(ranked),
    interval: correlationInterval(kept, (some) => placeCorrelation(rankedModels(models, all, some))),
    bySetting: settings.map(({ setting }, at) => {
      const [first = [], other = []] = [table[0], table[at + 1]];
      return { setting, spearman: spearmanRho(first, other), interval: spearmanInterval(first, other) };
    }),
    kendallW: kendallW(table),
    kendallWInterval: concordanceInterval(table),
    icc: intraclassCorrelation(table),
    iccIntervals: iccIntervals(table),
  };
}

/** The models in `kept`, ranked among themselves. */
function rankedModels(
  models: readonly string[],
  all: readonly SettingScores[],
  kept: readonly number[],
): ReliableModel[] {
  const places = all.map(({ scores }) => placesOf(kept.map((model) => scores[model] as number)));
  return kept.map((model, at) =>
    rankedModel(
      models[model] as string,
      places.map((row) => row[at] as number),
    ),
  );
}

function rankedModel(model: string, [baselinePlace, ...places]: readonly number[]): ReliableModel {
  return {
    model,
    baselinePlace: baselinePlace as number,
    places,
    averagePlace: places.reduce((sum, place) => sum + place, 0) / places.length,
  };
}

const placeCorrelation = (models: readonly ReliableModel[]): number | null =>
  spearmanRho(
    models.map(({ baselinePlace }) => baselinePlace),
    models.map(({ averagePlace }) => averagePlace),
  );

function checked(models: readonly string[], all: readonly SettingScores[]): void {
  if (all.length < 2) throw new Error('reliability compares a baseline with at least one other setting, got none');
  const uneven = all.find(({ scores }) => scores.length !== models.length);
  if (uneven)
    throw new Error(
      `setting ${uneven.setting} needs a score or null for each of ${models.length} models, got ` +
        `${uneven.scores.length}`,
    );
}
