/** A chain study's main table: one row per model, the best first. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedNumber, estimatedShare, share } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';

export const scoringText = (scoring: string): string =>
  scoring === 'squares'
    ? 'a failed translation ends the chain. ASL = sum of n_i · i² over i = 1..M, divided by M · T, where n_i of T ' +
      'chains passed exactly i of M steps.'
    : 'each step translates the code of the step before, right or wrong. ASL is the mean number of steps passed.';

/** @param rows of `chain_scores`, of one study @param failures rows of `chain_failures`, of the same study */
export function scoreTable(rows: readonly Row[], failures: readonly Row[], context: ReportContext): DataTable {
  const steps = Array.from({ length: numberOf(rows[0] ?? {}, 'steps') }, (_, place) => place + 1);
  const targetOf = (step: number): string =>
    String(failures.find((row) => row['step'] === step)?.['target_language'] ?? `step ${step}`);
  return {
    words: 1,
    heads: [
      ...['Model', 'ASL', ...steps.map((step) => `${step}. ${targetOf(step)}`)],
      ...['Drop', 'Chains n', 'No start', 'Excluded'],
    ],
    rows: rows.toSorted(byScore).map((row) => scoreRow(row, context)),
    look: 'board',
  };
}

const byScore = (a: Row, b: Row): number => Number(b['score'] ?? -1) - Number(a['score'] ?? -1);

function scoreRow(row: Row, context: ReportContext): DataRow {
  const n = numberOf(row, 'n');
  const passed = row['passed'] as readonly number[];
  const cells: DataRow = [
    context.model(textOf(row, 'run'), textOf(row, 'model')),
    estimatedNumber(estimateOf(row, 'score')),
    ...passed.map((chains) => share(n === 0 ? null : chains / n)),
    estimatedShare(estimateOf(row, 'drop')),
    ...[count(n), count(numberOf(row, 'n_start_failed')), count(numberOf(row, 'n_excluded'))],
  ];
  const [run, study, model] = ['run', 'study', 'model'].map((name) => textOf(row, name)) as [string, string, string];
  return withEvidence(cells, { run, study, model }, context);
}
