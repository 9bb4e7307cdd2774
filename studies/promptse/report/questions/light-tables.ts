/** RQ3 as tables. */
import type { Closeness, ClosenessName, Stratum } from '../../results/questions/light-agreement.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import { count, explained, number, withRange } from '../../../../analysis/report/cells.ts';

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
const intervals = '95 % intervals: jackknife with Student’s t for correlations and R², Gaffke’s bounds for errors';

export function lightTables({ light: { strata, drift }, settings }: StudyQuestions): DataTable[] {
  if (strata.length === 0) return [];
  const cheap =
    settings.lightSamples === undefined
      ? ''
      : ` PromptSELight uses ${settings.lightSamples} of ${settings.samples} samples of each prompt.`;
  return [
    {
      title: 'PromptSELight compared with PromptSE, over models',
      note:
        'PromptSELight’s AUC-E as a prediction of PromptSE’s, as published and normalised (only errors differ). ' +
        'R² = 1 − residual over total sum of squares. Below 0, the mean of PromptSE predicts better than ' +
        'PromptSELight; below −1, as happens if models or tasks hardly differ, the value says no more, and a dash ' +
        `is shown (the JSON form has the value). ${intervals}, over models; correlations need five models, all ` +
        `others three.${cheap}`,
      words: 3,
      heads: ['Grouped by', 'Models', 'AUC-E', 'n', ...heads],
      rows: strata.flatMap((stratum) => [
        ...closenessRows(stratum, 'as published', stratum.overModels),
        ...closenessRows(stratum, 'normalised', stratum.overModelsNormalized),
      ]),
    },
    {
      title: 'PromptSELight compared with PromptSE, over tasks',
      note:
        `Compares the elasticities of tasks at each distance, pooled over the models of a group. ${intervals}, over ` +
        'tasks, for these models.',
      words: 2,
      heads: ['Grouped by', 'Models', 'n', 'Tasks', ...heads],
      rows: strata.map(({ by, name, overTasks }) => [
        by,
        name,
        count(overTasks.pearson.n),
        count(overTasks.clusters),
        ...closenessCells(overTasks),
      ]),
    },
    {
      title: 'Models with different ranks by PromptSE and PromptSELight',
      words: 1,
      heads: ['Model', 'Rank by PromptSE', 'Rank by PromptSELight', 'Difference'],
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
  return measures.map(([name]) =>
    name === 'r2' ? explained(values.r2, ends.r2) : withRange(values[name], ends[name]),
  );
}
