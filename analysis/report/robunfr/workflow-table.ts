/** Averages over the models, by workflow: the form of tables 5 and 6 of the paper. */
import type { DataCell, DataTable } from '../data-table.ts';
import { missing } from '../format.ts';
import { measureName, type WorkflowAverage } from '../robunfr-data.ts';
import { percentText, valueText } from './value-text.ts';

/** Of one study. Null unless there are several models or both workflows. */
export function workflowTable(averages: readonly WorkflowAverage[]): DataTable | null {
  const workflows = new Set(averages.map(({ workflow }) => workflow));
  const models = Math.max(0, ...averages.map((row) => row.models));
  if (workflows.size < 3 && models < 2) return null;
  const measures = [...new Set(averages.map(measureName))];
  const lines = [...Map.groupBy(averages, ({ workflow, dimension }) => JSON.stringify([workflow, dimension])).values()];
  return {
    title: `Averages over ${models} model${models === 1 ? '' : 's'}, by workflow${averages.some(({ simulated }) => simulated) ? ' (simulated)' : ''}`,
    words: 2,
    heads: ['Workflow', 'Requirement', ...measures.flatMap((measure) => [measure, 'change'])],
    rows: lines.map((line) => {
      const [first] = line as [WorkflowAverage, ...WorkflowAverage[]];
      return [first.workflow, first.dimension, ...measures.flatMap((measure) => cellsOf(line.find((row) => measureName(row) === measure)))];
    }),
  };
}

function cellsOf(row: WorkflowAverage | undefined): DataCell[] {
  if (row === undefined) return [none, none];
  const spread = row.stdev === null ? '' : ` ± ${valueText(row, row.stdev)}`;
  const change = row.dimension === 'function-only' ? null : row.deltaPercent;
  return [
    { text: `${valueText(row, row.mean)}${spread}`, value: row.mean },
    { text: percentText(change), value: change },
  ];
}

const none: DataCell = { text: missing, value: null };
