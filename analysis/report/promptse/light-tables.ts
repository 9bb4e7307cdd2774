/** RQ3 as tables. */
import type { Closeness, ClosenessName, Stratum } from '../../../domain/metrics/promptse/light-agreement.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { DataCell, DataTable } from '../data-table.ts';
import { count, explained, number, withRange } from './cells.ts';

const measures: readonly (readonly [ClosenessName, string])[] = [
  ['pearson', 'Pearson'],
  ['spearman', 'Spearman'],
  ['kendall', 'Kendall'],
  ['mae', 'MAE'],
  ['rmse', 'RMSE'],
  ['r2', 'R²'],
  ['smape', 'sMAPE'],
];
const heads = measures.map(([, name]) => name);
const intervals = 'Intervals (95 %, in brackets): jackknife with Student’s t for correlations and R², Gaffke’s bounds for errors';

export function lightTables({ light: { strata, drift }, settings }: StudyQuestions): DataTable[] {
  if (strata.length === 0) return [];
  const cheap =
    settings.lightSamples === undefined ? '' : ` Light takes ${settings.lightSamples} of ${settings.samples} samples of each prompt.`;
  return [
    {
      title: 'PromptSELight beside PromptSE, over models',
      note: `AUC-E of Light as a prediction of that of PromptSE, as published and normalised (only errors differ). R² = 1 − residual over total sum of squares: below 0 the mean of PromptSE predicts better than Light does; below −1, which is so where models or tasks hardly differ, it says no more than that and a dash stands for it (the JSON form has the value). ${intervals}, over models; correlations from five models on, all else from three.${cheap}`,
      words: 3,
      heads: ['Models', 'Stratum', 'AUC-E', 'n', ...heads],
      rows: strata.flatMap((stratum) => [
        ...closenessRows(stratum, 'as published', stratum.overModels),
        ...closenessRows(stratum, 'normalised', stratum.overModelsNormalized),
      ]),
    },
    {
      title: 'PromptSELight beside PromptSE, over tasks',
      note: `Elasticities of tasks at each distance, of all models of the stratum together. ${intervals}, over tasks with the models as they are.`,
      words: 2,
      heads: ['Models', 'Stratum', 'n', 'Tasks', ...heads],
      rows: strata.map(({ by, name, overTasks }) => [
        by,
        name,
        count(overTasks.pearson.n),
        count(overTasks.clusters),
        ...closenessCells(overTasks),
      ]),
    },
    {
      title: 'Models whose rank differs',
      words: 1,
      heads: ['Model', 'Rank by PromptSE', 'Rank by PromptSELight', 'Drift'],
      rows: drift.map(({ model, full, light }) => [model, number(full, 1), number(light, 1), number(light - full, 1)]),
    },
  ];
}

const closenessRows = ({ by, name }: Stratum, kind: string, one: Closeness | null): DataTable['rows'][number][] =>
  one === null ? [] : [[by, name, kind, count(one.pearson.n), ...closenessCells(one)]];

function closenessCells({ pearson, spearman, kendall, errors, intervals: ends }: Closeness): DataCell[] {
  const values: Readonly<Record<ClosenessName, number | null | undefined>> = {
    ...{ pearson: pearson.statistic, spearman: spearman.statistic, kendall: kendall.statistic },
    ...{ mae: errors?.mae, rmse: errors?.rmse, r2: errors?.r2, smape: errors?.smape },
  };
  return measures.map(([name]) => (name === 'r2' ? explained(values.r2, ends.r2) : withRange(values[name], ends[name])));
}
