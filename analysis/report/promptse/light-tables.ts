/** RQ3 as tables. */
import type { Closeness, Stratum } from '../../../domain/metrics/promptse/light-agreement.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { DataTable } from '../data-table.ts';
import { count, number } from './cells.ts';

const heads = ['n', 'Pearson', 'Spearman', 'Kendall', 'MAE', 'RMSE', 'R²', 'sMAPE'];

export function lightTables({ light: { strata, drift }, settings }: StudyQuestions): DataTable[] {
  if (strata.length === 0) return [];
  const cheap =
    settings.lightSamples === undefined ? '' : ` Light takes ${settings.lightSamples} of ${settings.samples} samples of each prompt.`;
  return [
    {
      title: 'PromptSELight beside PromptSE, over models',
      note: `AUC-E of Light as a prediction of that of PromptSE, as published and normalised (only errors differ). R² = 1 − residual over total sum of squares.${cheap}`,
      words: 3,
      heads: ['Models', 'Stratum', 'AUC-E', ...heads],
      rows: strata.flatMap((stratum) => [
        ...closenessRows(stratum, 'as published', stratum.overModels),
        ...closenessRows(stratum, 'normalised', stratum.overModelsNormalized),
      ]),
    },
    {
      title: 'PromptSELight beside PromptSE, over tasks',
      note: 'Elasticities of tasks at each distance, of all models of the stratum together.',
      words: 2,
      heads: ['Models', 'Stratum', ...heads],
      rows: strata.map(({ by, name, overTasks }) => [by, name, ...closenessCells(overTasks)]),
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
  one === null ? [] : [[by, name, kind, ...closenessCells(one)]];

const closenessCells = ({ pearson, spearman, kendall, errors }: Closeness) => [
  count(pearson.n),
  ...[pearson.statistic, spearman.statistic, kendall.statistic, errors?.mae, errors?.rmse, errors?.r2, errors?.smape].map((value) =>
    number(value),
  ),
];
