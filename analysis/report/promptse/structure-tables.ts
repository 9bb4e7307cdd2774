/** RQ1 as tables. */
import { quadrantNames, type Structure } from '../../../domain/metrics/promptse/structure.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { DataTable } from '../data-table.ts';
import { count, number, range, share, test, why } from './cells.ts';

const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
const methods = ['full', 'light'] as const;

export const structureTables = ({ structure }: StudyQuestions): DataTable[] => [
  {
    title: 'Performance against stability, over models',
    note: `Spearman’s rank correlation of pass@1 and AUC-E, with p and a bootstrap over models (from four models on); beside it that with the excess over the noise floor. Quadrants: models by median split, a value at the median counts as high, or steady.${why(structure.full.spearman)}`,
    words: 1,
    heads: ['Method', 'Models', 'Spearman', 'p', '95 % interval', 'Spearman, excess', 'p', ...quadrantNames],
    rows: methods.map((method) => {
      const { spearman, interval, excessSpearman, quadrants } = structure[method];
      return [methodName[method], count(spearman.n), ...test(spearman), range(interval), ...test(excessSpearman), ...quadrants.map(count)];
    }),
  },
  {
    title: 'By family and size',
    note: 'Means over the models of a group. tiny: below 3 B parameters, small: below 10, medium: below 20, large: from 20.',
    words: 3,
    heads: ['Method', 'Groups', 'Group', 'Models', 'pass@1', 'AUC-E', 'least', 'greatest', 'Excess'],
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
  groups.map(({ by, group, n, passAt1, aucE, least, greatest, excess }) => [
    ...[methodName[method], by, group],
    ...[count(n), share(passAt1), number(aucE), number(least), number(greatest), number(excess)],
  ]);
