/** Averages over the models, by workflow: the form of tables 5 and 6 of the paper. */
import type { DataCell, DataTable } from '../data-table.ts';
import { missing, pText } from '../format.ts';
import { measureName, type WorkflowAverage } from '../robunfr-data.ts';
import { percentRange, percentText, rangeText, ratioText, valueText } from './value-text.ts';

/** Of one study. Null unless there are several models or both workflows. */
export function workflowTable(averages: readonly WorkflowAverage[]): DataTable | null {
  const workflows = new Set(averages.map(({ workflow }) => workflow));
  const models = Math.max(0, ...averages.map((row) => row.models));
  if (workflows.size < 3 && models < 2) return null;
  const measures = [...new Set(averages.map(measureName))];
  const lines = [...Map.groupBy(averages, ({ workflow, dimension }) => JSON.stringify([workflow, dimension])).values()];
  return {
    title: `Averages over ${models} model${models === 1 ? '' : 's'}, by workflow${averages.some(({ simulated }) => simulated) ? ' (simulated)' : ''}`,
    note: 'As in tables 5 and 6 of the paper: mean over models of their AVG ± mean of their STDEV, and the change against Function-Only; behind each its 95 % interval (Gaffke’s bounds over tasks, the models as they are; of STDEV chi-square over phrasings).',
    words: 2,
    heads: ['Workflow', 'Requirement', 'Tasks', ...measures.flatMap((measure) => [measure, 'change'])],
    rows: lines.map((line) => {
      const [first] = line as [WorkflowAverage, ...WorkflowAverage[]];
      return [
        ...[first.workflow, first.dimension, { text: String(Math.max(0, ...line.map(({ tasks }) => tasks ?? 0))) }],
        ...measures.flatMap((measure) => cellsOf(line.find((row) => measureName(row) === measure))),
      ];
    }),
  };
}

function cellsOf(row: WorkflowAverage | undefined): DataCell[] {
  if (row === undefined) return [none, none];
  const { intervals } = row;
  const ends = (text: string): string => (text === missing ? '' : ` (${text})`);
  const spread = row.stdev === null ? '' : ` ± ${valueText(row, row.stdev)}${ends(rangeText(row, intervals.stdev))}`;
  const change = row.dimension === 'function-only' ? null : row.deltaPercent;
  return [
    { text: `${valueText(row, row.mean)}${ends(rangeText(row, intervals.mean))}${spread}`, value: row.mean },
    { text: `${percentText(change)}${change === null ? '' : ends(percentRange(intervals.deltaPercent))}`, value: change },
  ];
}

const none: DataCell = { text: missing, value: null };

/** RQ3's test of time: means as the paper has them, and ratios task by task. Null without a time of both workflows. */
export function workflowTimesTable(averages: readonly WorkflowAverage[]): DataTable | null {
  const rows = averages.filter(({ ratio, ratioWorkflows }) => ratio !== null || ratioWorkflows !== null);
  if (rows.length === 0) return null;
  return {
    title: 'Times as ratios, task by task',
    note: 'A mean time is often one slow task’s. Here each task weighs the same: geometric means over tasks of the time with the requirement over that of Function-Only, and of this workflow’s over the other one’s, with 95 % intervals; p of the sign-flip test of the logarithms, next to the paper’s paired t-test of mean times.',
    words: 3,
    heads: ['Workflow', 'Requirement', 'Measure', 'Tasks', 'To Function-Only', 'To the other workflow', 'p, ratios', 'p, means'],
    rows: rows.map((row) => [
      ...[row.workflow, row.dimension, measureName(row)],
      ...[{ text: String(row.tasks ?? missing), value: row.tasks }, ratioCell(row.ratio), ratioCell(row.ratioWorkflows)],
      ...[row.pRatio, row.pMeans].map((p): DataCell => ({ text: pText(p), value: p })),
    ]),
  };
}

const ratioCell = (ratio: WorkflowAverage['ratio']): DataCell => ({ text: ratioText(ratio), value: ratio?.value ?? null });
