/** Where the variance of answers is, as shares of the whole. */
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { type PartName, partNames } from '../../domain/statistics/variance/variance-parts.ts';
import type { Row } from '../../schemas/tables.ts';
import { estimateOf } from '../estimate.ts';
import { count, estimatedShare, number } from './cells.ts';
import { levelText } from './format.ts';
import type { DataTable, Head } from './part.ts';

const heads: Readonly<Record<PartName, string>> = {
  task: 'task',
  model: 'model',
  model_task: 'model x task',
  variant: 'variant',
  task_variant: 'task x variant',
  model_variant: 'model x variant',
  model_task_variant: 'all three',
  run: 'repetition',
  sample: 'sample',
};

/** One line per study, setting and group of variants; parts that no line has are left out. @param parts of these */
export function varianceTable(parts: readonly Row[], severalRuns: boolean): DataTable {
  const known = parts.filter((row) => numberOrNull(row, 'variance') !== null);
  const names = partNames.filter((part) => known.some((row) => row['part'] === part));
  const [first] = known;
  return {
    title: 'Share of each part in the variance of an answer',
    note: first === undefined ? '' : noteOf(first),
    words: severalRuns ? 4 : 3,
    heads: [
      ...(severalRuns ? ['Run'] : []),
      ...['Study', 'Setting', 'Variants'],
      ...names.map((part): Head => ({ text: heads[part], words: false })),
      ...['variance', 'models', 'variants', 'tasks', 'n'],
    ],
    rows: [...Map.groupBy(known, lineOf).values()].map((line) => rowOf(line, names, severalRuns)),
  };
}

const noteOf = (row: Row): string =>
  'An answer counts 1 if it passes every suite, else 0. First programs of all tasks that every model answered in ' +
  'every variant. A part that a design cannot tell from another is in its interaction, or in sample. ' +
  `${levelText(numberOf(row, 'confidence'))} intervals over tasks: ${textOf(row, 'method')}.`;

const lineOf = (row: Row): string =>
  JSON.stringify(['run', 'study', 'benchmark', 'language', 'setting', 'step', 'variants'].map((name) => row[name]));

function rowOf(line: readonly Row[], names: readonly PartName[], severalRuns: boolean): DataTable['rows'][number] {
  const first: Row = line[0] ?? {};
  const partOf = (part: PartName): Row => line.find((row) => row['part'] === part) ?? {};
  return [
    ...(severalRuns ? [textOf(first, 'run')] : []),
    `${textOf(first, 'study')}${first['simulated'] === true ? ' (simulated)' : ''}`,
    ...[textOf(first, 'setting'), textOf(first, 'variants')],
    ...names.map((part) => estimatedShare(estimateOf(partOf(part), 'share'))),
    number(line.reduce((sum, row) => sum + (numberOrNull(row, 'variance') ?? 0), 0)),
    ...['n_models', 'n_variants', 'n_tasks', 'n'].map((column) => count(numberOf(first, column))),
  ];
}
