/**
 * Solutions by kind of failure, for each model, workflow and requirement, and for Function-Only
 * (section 5.2 of the paper).
 */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { count } from '../../../analysis/report/cells.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { type FailureCounts, failureKinds } from '../results/failures.ts';

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

/** Empty if nothing failed. */
export function failuresTable(failures: readonly FailureCounts[], context: ReportContext): DataTable {
  const kinds = failureKinds.filter((kind) => failures.some((row) => (row.kinds[kind] ?? 0) > 0));
  return {
    title: 'Solutions by kind of failure',
    note:
      'Raises: an exception where a value is expected, for example from validation that is stricter than the task. ' +
      'Broken: fails, although the plain code of the same repetition passes. Excluded: not judged, because of a ' +
      'limit of evenkeel or its sandbox, or because the task’s own reference gives no output to compare with.',
    words: 4,
    heads: [
      'Study',
      'Model',
      'Workflow',
      'Requirement',
      'Solutions',
      ...kinds.map((kind) => kindNames[kind]),
      'Broken',
    ],
    rows: (kinds.length === 0 ? [] : failures).map((row) => {
      const { run, study, model, workflow: setting } = row;
      const cells: DataRow = [
        context.severalRuns ? `${study}, ${run}` : study,
        ...[context.model(run, model), setting, row.dimension],
        ...[row.solutions, ...kinds.map((kind) => row.kinds[kind] ?? 0), row.broken].map(count),
      ];
      return withEvidence(cells, { run, study, model, setting }, context);
    }),
  };
}
