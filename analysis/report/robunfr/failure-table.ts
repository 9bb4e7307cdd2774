/** Solutions by kind of failure, for each model, workflow and requirement beside Function-Only (section 5.2 of the paper). */
import { type FailureCounts, failureKinds } from '../../robunfr-failures.ts';
import type { DataTable } from '../data-table.ts';
import { countText } from '../format.ts';

const kindNames: Readonly<Record<(typeof failureKinds)[number], string>> = {
  raises: 'raises',
  wrong_output: 'wrong output',
  syntax_error: 'syntax error',
  timeout: 'timeout',
  no_code: 'prose, no code',
  nothing_to_improve: 'nothing to improve',
  other: 'other',
  excluded: 'excluded',
};

/** Without rows where nothing failed. */
export function failureTable(failures: readonly FailureCounts[], severalRuns: boolean): DataTable {
  const kinds = failureKinds.filter((kind) => failures.some((row) => (row.kinds[kind] ?? 0) > 0));
  const count = (value: number) => ({ text: countText(value), value });
  return {
    title: 'Solutions by kind of failure',
    note: 'Raises: an exception where a value is expected, such as validation that is stricter than the task. Broken: fails, though the plain code of the same repetition passes. Excluded: limits of ours.',
    words: 4,
    heads: ['Study', 'Model', 'Workflow', 'Requirement', 'Solutions', ...kinds.map((kind) => kindNames[kind]), 'Broken'],
    rows: (kinds.length === 0 ? [] : failures).map((row) => [
      severalRuns ? `${row.study}, ${row.run}` : row.study,
      row.simulated ? `${row.model} (simulated)` : row.model,
      row.workflow,
      row.dimension,
      ...[row.solutions, ...kinds.map((kind) => row.kinds[kind] ?? 0), row.broken].map(count),
    ]),
  };
}
