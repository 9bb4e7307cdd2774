/** Rows of table `nfr_workflows`: averages over the models of a study (tables 5 and 6), from its rows of table `nfr_summary`. */
import { type Row, tables } from '../../schemas/tables.ts';
import { averageOverModels, type ModelSpread } from './model-averages.ts';
import { groupByColumns } from './row-order.ts';

export function nfrWorkflowRows(summaries: readonly Row[]): Row[] {
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
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}

const sameMeasure = (row: Row, other: Row | undefined): boolean =>
  ['run', 'study', 'benchmark', 'language', 'metric', 'suite'].every((column) => row[column] === other?.[column]);

const spreadOf = (row: Row): ModelSpread => ({ mean: numberOrNull(row, 'mean'), stdev: numberOrNull(row, 'stdev') });

function numberOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}
