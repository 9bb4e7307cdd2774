/** A report's own values, from studies on HumanEval or MBPP, in the form of the paper's tables 2 to 6. */
import type { RobunfrReport } from '../data.ts';
import type { PlacedCell, PublishedTable } from './printed-lines.ts';

type Measured = {
  readonly run: string;
  readonly study: string;
  readonly metric: string;
  readonly suite: string | null;
};

/** A value's benchmark and metric in the paper's terms; null if the paper has no such column. */
function placeOf({ printed }: RobunfrReport, { run, study, metric, suite }: Measured) {
  const own = printed.find((one) => one.run === run && one.study === study);
  if (own === undefined) return null;
  if (suite !== null) {
    const name = own.suites.find((one) => one.suite === suite)?.name;
    return name === undefined ? null : { benchmark: own.benchmark, name, metric };
  }
  const known = paperMetrics[metric];
  return known === undefined ? null : { benchmark: own.benchmark, name: own.benchmark, metric: known };
}

/** The paper's execution time is compared with the mean wall time of all solutions. */
const paperMetrics: Readonly<Record<string, string>> = {
  code_smell: 'code_smell',
  unreadability: 'unreadability',
  exception_handling: 'exception_handling',
  wall_ms: 'execution_time_ms',
};

export function ownCells(report: RobunfrReport): PlacedCell[] {
  return firstOfEach([...summaryCells(report), ...regressionCells(report), ...workflowCells(report)]);
}

/** Several studies of a run may have the same value; the first one is used. */
function firstOfEach(cells: readonly PlacedCell[]): PlacedCell[] {
  const name = ({ table, benchmark, metric, dimension, who }: PlacedCell): string =>
    JSON.stringify([table, benchmark, metric, dimension, who]);
  return [...new Map(cells.toReversed().map((cell) => [name(cell), cell])).values()].toReversed();
}

const tableOf = (metric: string, forPass: PublishedTable, forRest: PublishedTable): PublishedTable =>
  metric === 'pass_at_1' ? forPass : forRest;
function named(
  report: RobunfrReport,
  { run, simulated }: { readonly run: string; readonly simulated: boolean },
  name: string,
): string {
  const ofRun = new Set(report.printed.map((one) => one.run)).size > 1 ? `${name}, run ${run}` : name;
  return simulated ? `${ofRun} (simulated)` : ofRun;
}

const summaryCells = (report: RobunfrReport): PlacedCell[] =>
  report.summaries.flatMap((row) => {
    const place = placeOf(report, row);
    if (place === null || row.mean === null || row.workflow === 'nfr-enhanced') return [];
    const plain = row.dimension === 'function-only';
    return [
      {
        table: tableOf(row.metric, 2, 3),
        benchmark: place.name,
        metric: place.metric,
        dimension: row.dimension,
        who: named(report, row, row.model),
        cell: {
          value: row.mean.value,
          stdev: row.stdev,
          deltaPercent: plain ? null : (row.deltaPercent?.value ?? null),
          slip: false,
        },
      },
    ];
  });

/** Table 4 has one pass column per suite. */
const regressionCells = (report: RobunfrReport): PlacedCell[] =>
  report.regressions.flatMap((row) => {
    const place = placeOf(report, row);
    if (place === null || row.oldMean === null) return [];
    return [
      {
        table: 4,
        benchmark: place.benchmark,
        metric: place.name.endsWith('-ET') ? 'et_pass_at_1' : place.metric,
        dimension: row.dimension,
        who: named(report, row, `${row.old} to ${row.now}`),
        cell: { value: row.oldMean, stdev: row.oldStdev, deltaPercent: row.deltaPercent, slip: false },
      },
    ];
  });

/** Averages over models, only for studies with both workflows. */
const workflowCells = (report: RobunfrReport): PlacedCell[] =>
  report.workflows.flatMap((row) => {
    const place = placeOf(report, row);
    const both = report.workflows.some(
      (one) => one.run === row.run && one.study === row.study && one.workflow === 'nfr-enhanced',
    );
    if (place === null || !both) return [];
    const plain = row.dimension === 'function-only';
    return [
      {
        table: tableOf(row.metric, 5, 6),
        benchmark: place.name,
        metric: place.metric,
        dimension: row.dimension,
        who: named(report, row, row.workflow),
        cell: { value: row.mean, stdev: row.stdev, deltaPercent: plain ? null : row.deltaPercent, slip: false },
      },
    ];
  });
