/** Whether another summary prompt or temperature ranks the models differently (EVALOOP, sections 3.4 and 4.3; tables 3 and 4). */
import { concordanceInterval, correlationInterval, spearmanInterval } from '../statistics/correlation-interval.ts';
import { type IccIntervals, iccIntervals } from '../statistics/icc-interval.ts';
import { spearmanRho } from '../statistics/spearman.ts';
import type { Interval } from '../statistics/interval.ts';
import { type IntraclassCorrelation, intraclassCorrelation, kendallW } from '../statistics/rank-agreement.ts';
import { placesOf } from '../statistics/ranks.ts';

/** Scores of the same models in the same order; null where a model has none under that setting. */
export interface SettingScores {
  readonly setting: string;
  readonly scores: readonly (number | null)[];
}

export interface ReliableModel {
  readonly model: string;
  /** Place in the baseline, 1 is best; ties share the mean of their places. */
  readonly baselinePlace: number;
  /** Place per setting, in the settings' order. */
  readonly places: readonly number[];
  /** Mean of `places`: the baseline is not in it. */
  readonly averagePlace: number;
}

export interface Reliability {
  readonly models: readonly ReliableModel[];
  /** Models without a score somewhere: nothing is ranked with them. */
  readonly leftOut: readonly string[];
  /** Baseline place against average place, as in tables 3 and 4. Null with fewer than two models or where a side ties them all. */
  readonly spearman: number | null;
  /** Of that value, over models; null of fewer than five. 13 models give a wide one. */
  readonly interval: Interval | null;
  /** Baseline against each setting alone. */
  readonly bySetting: readonly { readonly setting: string; readonly spearman: number | null; readonly interval: Interval | null }[];
  /** Over the baseline and all settings. */
  readonly kendallW: number | null;
  readonly kendallWInterval: Interval | null;
  readonly icc: IntraclassCorrelation | null;
  readonly iccIntervals: IccIntervals | null;
}

/** Higher scores are better. Throws where a setting has another number of scores than there are models, or there is no setting. */
export function reliability(models: readonly string[], baseline: SettingScores, settings: readonly SettingScores[]): Reliability {
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

/** Those that are kept, ranked among themselves. */
function rankedModels(models: readonly string[], all: readonly SettingScores[], kept: readonly number[]): ReliableModel[] {
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
    throw new Error(`setting ${uneven.setting} needs a score or null for each of ${models.length} models, got ${uneven.scores.length}`);
}
