/** RQ1 as tables. */
import { quadrantNames, type Structure } from '../../../domain/metrics/promptse/structure.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { Interval } from '../../../domain/statistics/interval.ts';
import type { DataCell, DataTable } from '../data-table.ts';
import { count, number, range, share, shareEstimate, test, why } from './cells.ts';

const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
const methods = ['full', 'light'] as const;

export const structureTables = ({ structure }: StudyQuestions): DataTable[] => [
  {
    title: 'Performance against stability, over models',
    note: `Spearman’s rank correlation of pass@1 and AUC-E, with p (exact up to nine models) and a jackknife over models (from five models on); next to it that with the excess over the noise floor. Quadrants: models by median split, a value at the median counts as high, or steady; behind each number the 95 % interval (Clopper and Pearson’s) of its share of the models.${why(structure.full.spearman)}`,
    words: 1,
    heads: ['Method', 'Models', 'Spearman', 'p', '95 % interval', 'Spearman, excess', 'p', '95 % interval', ...quadrantNames],
    rows: methods.map((method) => {
      const { spearman, interval, excessSpearman, excessInterval, quadrants, quadrantShares } = structure[method];
      return [
        ...[methodName[method], count(spearman.n), ...test(spearman), range(interval)],
        ...[...test(excessSpearman), range(excessInterval)],
        ...quadrants.map((models, index) => quadrantCell(models, quadrantShares[index] ?? null)),
      ];
    }),
  },
  {
    title: 'By family and size',
    note: 'Means over the models of a group, with 95 % intervals over tasks (Gaffke’s bounds, the models as they are). tiny: below 3 B parameters, small: below 10, medium: below 20, large: from 20.',
    words: 3,
    heads: ['Method', 'Groups', 'Group', 'Models', 'Tasks', 'pass@1', '95 %', 'AUC-E', '95 %', 'least', 'greatest', 'Excess', '95 %'],
    rows: methods.flatMap((method) => groupRows(method, structure[method])),
  },
  {
    title: 'Quadrant of each model',
    words: 4,
    heads: ['Method', 'Model', 'Family', 'Quadrant', 'Size, B', 'pass@1', 'AUC-E', 'Excess'],
    rows: methods.flatMap((method) =>
      structure[method].models.map(({ model, family, sizeB, quadrant, passAt1, aucE, excess }) => [
        ...[methodName[method], model, family ?? '–', quadrant],
        ...[number(sizeB, 1), share(passAt1), number(aucE), number(excess)],
      ]),
    ),
    folded: true,
  },
];

const groupRows = (method: 'full' | 'light', { groups }: Structure): DataTable['rows'] =>
  groups.map(({ by, group, n, nTasks, passAt1, aucE, least, greatest, excess, intervals }) => [
    ...[methodName[method], by, group],
    ...[count(n), count(nTasks), ...shareEstimate({ value: passAt1, interval: intervals.passAt1 })],
    ...[number(aucE), range(intervals.aucE), number(least), number(greatest)],
    ...[number(excess), range(excess === null ? null : intervals.excess)],
  ]);

const quadrantCell = (models: number, share: Interval | null): DataCell => ({
  text: share === null ? String(models) : `${models} (${(100 * share.lo).toFixed(0)} – ${(100 * share.hi).toFixed(0)} %)`,
  value: models,
});
