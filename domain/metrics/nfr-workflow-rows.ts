/** Rows of table `nfr_workflows`: averages over the models of a study (tables 5 and 6), from its rows of table `nfr_summary`. */
import { type Row, tables } from '../../schemas/tables.ts';
import { averageOverModels, type ModelSpread } from './model-averages.ts';
import { groupByColumns, numberOrNull } from './row-order.ts';
import type { WorkflowTest } from './workflow-times.ts';

/** @param tests of the two workflows' times; none for a study without both */
export function nfrWorkflowRows(summaries: readonly Row[], tests: readonly WorkflowTest[]): Row[] {
  return groupByColumns(summaries, tables.nfr_workflows.key).map((group) => {
    const models = new Set(group.map((row) => row['model']));
    const plain = summaries.filter(
      (row) => row['dimension'] === 'function-only' && models.has(row['model'] ?? null) && sameMeasure(row, group[0]),
    );
    const { mean, stdev, deltaPercent, n } = averageOverModels(group.map(spreadOf), plain.map(spreadOf));
    return {
      ...Object.fromEntries(tables.nfr_workflows.key.map((column) => [column, group[0]?.[column] ?? null])),
      mean,
      stdev,
      delta_percent: deltaPercent,
      n_models: n,
      ...testOf(group[0], tests),
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}

/** Of a requirement: Function-Only is in no such test. */
function testOf(row: Row | undefined, tests: readonly WorkflowTest[]): Row {
  const test = tests.find(({ dimension, metric }) => dimension === row?.['dimension'] && metric === row['metric']);
  return { p_workflows: test?.p ?? null, n_tasks: test?.p == null ? null : test.n };
}

const sameMeasure = (row: Row, other: Row | undefined): boolean =>
  ['run', 'study', 'benchmark', 'language', 'metric', 'suite'].every((column) => row[column] === other?.[column]);

const spreadOf = (row: Row): ModelSpread => ({ mean: numberOrNull(row, 'mean'), stdev: numberOrNull(row, 'stdev') });
