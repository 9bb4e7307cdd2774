/** RQ1 as tables. */
import { quadrantNames, type Structure } from '../../results/questions/structure.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import {
  count,
  estimatedShare,
  number,
  probability,
  share,
  notTestedText,
  withRange,
} from '../../../../analysis/report/cells.ts';
import { type Method, methodName, methods } from '../methods.ts';

export const structureTables = ({ structure }: StudyQuestions): DataTable[] => [
  {
    title: 'Performance and stability of models',
    note:
      'Spearman’s rank correlation of pass@1 and AUC-E, with p (exact up to nine models) and a 95 % interval ' +
      '(jackknife over models, for five or more); then the same with the excess over the noise floor instead of ' +
      'AUC-E. Quadrants: numbers of models by median split, where a value at the median counts as high or steady; ' +
      'below, the 95 % interval (Clopper and Pearson’s) of its share of the models.' +
      notTestedText(structure.full.spearman),
    words: 1,
    heads: ['Method', 'Models', 'Spearman', 'p', 'Spearman, excess', 'p', ...quadrantNames],
    rows: methods.map((method) => {
      const { spearman, interval, excessSpearman, excessInterval, quadrants, quadrantShares } = structure[method];
      return [
        ...[methodName[method], count(spearman.n), withRange(spearman.statistic, interval), probability(spearman.p)],
        ...[withRange(excessSpearman.statistic, excessInterval), probability(excessSpearman.p)],
        ...quadrants.map((models, index) => quadrantCell(models, quadrantShares[index] ?? null)),
      ];
    }),
  },
  {
    title: 'Performance and stability by family and size',
    note:
      'Means over the models of a group, with 95 % intervals over tasks (Gaffke’s bounds, for these models). ' +
      'Sizes: tiny: below 3 B parameters; small: below 10 B; medium: below 20 B; large: 20 B and more.',
    words: 3,
    heads: [
      ...['Method', 'Grouped by', 'Group', 'Models', 'Tasks', 'pass@1', 'AUC-E', 'Lowest AUC-E', 'Highest AUC-E'],
      'Excess',
    ],
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

const groupRows = (method: Method, { groups }: Structure): DataTable['rows'] =>
  groups.map(({ by, group, n, nTasks, passAt1, aucE, least, greatest, excess, intervals }) => [
    ...[methodName[method], by, group],
    ...[count(n), count(nTasks), estimatedShare({ value: passAt1, interval: intervals.passAt1 })],
    ...[withRange(aucE, intervals.aucE), number(least), number(greatest)],
    withRange(excess, excess === null ? null : intervals.excess),
  ]);

const quadrantCell = (models: number, share: Interval | null): DataCell => ({
  ...count(models),
  ...(share === null ? {} : { under: [`${(100 * share.lo).toFixed(0)} – ${(100 * share.hi).toFixed(0)} %`] }),
});
