/** Averages over the models, by workflow, as in tables 5 and 6 of the paper. */
import { counted } from '../../../domain/counted.ts';
import { number, pValue } from '../../../analysis/report/cells.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { WorkflowAverage } from './data.ts';
import { isPlain, measureName } from './names.ts';
import { percentCell, ratioCell, valueCell } from './value-text.ts';

/** @param averages of one study */
export const workflowTables = (averages: readonly WorkflowAverage[]): DataTable[] => [
  averagesTable(averages),
  timesTable(averages),
];

/** With more rows the table is folded. */
const manyRows = 30;

/** Empty unless there are several models or both workflows. */
function averagesTable(averages: readonly WorkflowAverage[]): DataTable {
  const workflows = new Set(averages.map(({ workflow }) => workflow));
  const models = Math.max(0, ...averages.map((row) => row.models));
  const isUneven = averages.some((row) => row.models !== models);
  const simulated = averages.some((row) => row.simulated) ? ' (simulated)' : '';
  return {
    title: `Averages over ${isUneven ? 'up to ' : ''}${counted(models, 'model')}, by workflow${simulated}`,
    note:
      'As in tables 5 and 6 of the paper: the mean of the models’ AVG, the mean of their STDEV, and the change ' +
      'from Function-Only. Below each value: its 95 % interval (Gaffke’s bounds over tasks, for these models; for ' +
      'STDEV, chi-square over phrasings).',
    words: 3,
    heads: ['Workflow', 'Requirement', 'Measure', ...(isUneven ? ['Models'] : []), 'Tasks', 'AVG', 'STDEV', 'Change'],
    rows: workflows.size < 3 && models < 2 ? [] : averages.map((row) => averageRow(row, isUneven)),
    folded: averages.length > manyRows,
  };
}

/** @param isUneven whether rows are of different numbers of models */
function averageRow(row: WorkflowAverage, isUneven: boolean): DataRow {
  const { mean, stdev, deltaPercent } = row.intervals;
  return [
    ...[row.workflow, row.dimension, measureName(row), ...(isUneven ? [number(row.models, 0)] : [])],
    number(row.tasks, 0),
    valueCell(row, row.mean, mean?.interval),
    valueCell(row, row.stdev, stdev?.interval),
    percentCell(isPlain(row) ? null : row.deltaPercent, deltaPercent?.interval),
  ];
}

/**
 * RQ3's test of time: means as in the paper, and ratios task by task. Empty unless both workflows have a time.
 */
function timesTable(averages: readonly WorkflowAverage[]): DataTable {
  const rows = averages.filter(({ ratio, ratioWorkflows }) => ratio !== null || ratioWorkflows !== null);
  return {
    title: 'Ratios of times, task by task',
    note:
      'One slow task can dominate a mean time. Here each task counts the same: geometric means over tasks of the ' +
      'ratio of the time with the requirement to Function-Only’s, and of this workflow’s time to the other ' +
      'workflow’s, with 95 % intervals. p, ratios: sign-flip test of the logarithms; p, means: the paper’s ' +
      'paired t-test of mean times.',
    words: 3,
    heads: [
      'Workflow',
      'Requirement',
      'Measure',
      'Tasks',
      'Ratio to Function-Only',
      'Ratio to the other workflow',
      'p, ratios',
      'p, means',
    ],
    rows: rows.map((row) => [
      ...[row.workflow, row.dimension, measureName(row)],
      ...[number(row.tasks, 0), ratioCell(row.ratio), ratioCell(row.ratioWorkflows)],
      ...[row.pRatio, row.pMeans].map(pValue),
    ]),
  };
}
