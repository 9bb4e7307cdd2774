/** A chain study's main table: one row per model, the best first. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedNumber, estimatedShare, share } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Outcome } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { isFailure } from '../results/known-steps.ts';

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
    rows: rows.toSorted(byScore).map((row) => scoreRow(row, failures, context)),
    look: 'board',
  };
}

const byScore = (a: Row, b: Row): number => Number(b['score'] ?? -1) - Number(a['score'] ?? -1);

/**
 * The share of chains that pass each step: of those that were judged there, and those that had ended before. With
 * `squares` the product of the shares of the steps up to it, each of the chains that got there: to leave chains out
 * where they could not be judged would leave out chains that passed. Null if none that got there was judged.
 */
function passedShares(row: Row, failures: readonly Row[]): (number | null)[] {
  const n = numberOf(row, 'n');
  if (numberOf(row, 'n_excluded') === 0)
    return (row['passed'] as readonly number[]).map((chains) => (n === 0 ? null : chains / n));
  const own = failures.filter((one) => ['model', 'benchmark', 'setting'].every((name) => one[name] === row[name]));
  const isSquares = row['scoring'] === 'squares';
  let [before, ended]: [number | null, number] = [1, 0];
  return Array.from({ length: numberOf(row, 'steps') }, (_, place) => {
    const count = (counts: (outcome: Outcome) => boolean): number =>
      own
        .filter((one) => one['step'] === place + 1 && counts(one['outcome'] as Outcome))
        .reduce((sum, one) => sum + numberOf(one, 'n'), 0);
    const passed = count((outcome) => outcome === 'pass');
    const judged = passed + count(isFailure) + ended;
    const share = judged === 0 ? null : passed / judged;
    if (!isSquares) {
      ended += count((outcome) => outcome === 'no_code');
      return share;
    }
    before = before === 0 ? 0 : before === null || share === null ? null : before * share;
    return before;
  });
}

function scoreRow(row: Row, failures: readonly Row[], context: ReportContext): DataRow {
  const cells: DataRow = [
    context.model(textOf(row, 'run'), textOf(row, 'model')),
    estimatedNumber(estimateOf(row, 'score')),
    ...passedShares(row, failures).map(share),
    estimatedShare(estimateOf(row, 'drop')),
    ...['n', 'n_start_failed', 'n_excluded'].map((name) => count(numberOf(row, name))),
  ];
  const [run, study, model] = ['run', 'study', 'model'].map((name) => textOf(row, name)) as [string, string, string];
  return withEvidence(cells, { run, study, model }, context);
}
