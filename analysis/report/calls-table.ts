/** Calls by model and role, with what they cost. */
import { count } from './cells.ts';
import { usdText } from './format.ts';
import type { ModelCalls } from './model-calls.ts';
import type { DataCell, DataTable } from './part.ts';
import type { ReportContext } from './study-report.ts';

const counts = ['answered', 'failed', 'lost', 'reused', 'inputTokens', 'outputTokens'] as const;
const sums = ['reportedUsd', 'estimatedUsd'] as const;
type CallCounts = Pick<ModelCalls, (typeof counts)[number] | (typeof sums)[number] | 'unpriced'>;

export const callsTable = (calls: readonly ModelCalls[], { model }: ReportContext): DataTable => ({
  words: 2,
  heads: [
    ...['Model', 'Role', 'Answered', 'Failed', 'Lost', 'Reused', 'Input tokens', 'Output tokens'],
    ...['Reported', 'Estimated', 'Unpriced'],
  ],
  rows: calls.map((row) => [model(row.run, row.model), row.role, ...countCells(row)]),
  totals: [['All', '', ...countCells(totalOf(calls))]],
});

const countCells = (row: CallCounts): DataCell[] => [
  ...counts.map((name) => count(row[name])),
  ...sums.map((name) => ({ text: usdText(row[name]), value: row[name] })),
  count(row.unpriced),
];

function totalOf(calls: readonly ModelCalls[]): CallCounts {
  const names = [...counts, ...sums, 'unpriced'] as const;
  const sum = (name: (typeof names)[number]): number => calls.reduce((total, row) => total + row[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as CallCounts;
}
