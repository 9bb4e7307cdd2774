/** What the report shows of RobuNFR studies. */
import { type DeltaRange, deltaRanges, type TradeOff, tradeOffs } from '../../domain/metrics/regression-summary.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { inOrder, type NfrRow, type RegressionRow, robunfrBoard } from '../robunfr-board.ts';
import { type Estimate, estimateOf } from '../estimate.ts';
import { type BrokenTask, brokenTasks, type FailureCounts, failureCounts } from '../robunfr-failures.ts';
import { type HistoryStep, verdictHistory } from '../robunfr-history.ts';
import { currentRobunfrTables, robunfrStudies } from '../robunfr-tables.ts';
import type { RunDatabase } from '../database.ts';

export interface RobunfrReport {
  readonly summaries: readonly NfrRow[];
  readonly phrasings: readonly PhrasingValue[];
  readonly workflows: readonly WorkflowAverage[];
  readonly regressions: readonly RegressionRow[];
  readonly updates: readonly UpdateSummary[];
  readonly failures: readonly FailureCounts[];
  readonly broken: readonly BrokenTask[];
  readonly history: readonly HistoryStep[];
  readonly printed: readonly PrintedStudy[];
}

/** A study on a benchmark of the paper, whose values can stand beside the printed ones. */
export interface PrintedStudy {
  readonly run: string;
  readonly study: string;
  /** HumanEval or MBPP. */
  readonly benchmark: string;
  readonly suites: readonly { readonly suite: string; readonly name: string }[];
}

export interface PhrasingValue {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly metric: string;
  readonly suite: string | null;
  /** Null for a repetition of Function-Only. */
  readonly phrasing: string | null;
  readonly value: number;
}

/** An average over models. */
export interface WorkflowAverage {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly metric: string;
  readonly suite: string | null;
  readonly mean: number;
  readonly stdev: number | null;
  readonly deltaPercent: number | null;
  readonly intervals: { readonly mean: Estimate | null; readonly stdev: Estimate | null; readonly deltaPercent: Estimate | null };
  /** Of a time: over Function-Only's, and over the other workflow's, task by task. */
  readonly ratio: Estimate | null;
  readonly ratioWorkflows: Estimate | null;
  readonly pRatio: number | null;
  readonly pMeans: number | null;
  readonly tasks: number | null;
  readonly models: number;
  /** One of them is. */
  readonly simulated: boolean;
}

/** A pair of versions over all its studies. */
export interface UpdateSummary {
  readonly run: string;
  readonly old: string;
  readonly now: string;
  readonly ranges: readonly DeltaRange[];
  readonly tradeOffs: readonly TradeOff[];
}

export const measureName = ({ metric, suite }: { readonly metric: string; readonly suite: string | null }): string =>
  suite === null ? (metricNames[metric] ?? metric) : `pass@1 ${suite}`;

const metricNames: Readonly<Record<string, string>> = {
  code_smell: 'code smell',
  unreadability: 'unreadability',
  exception_handling: 'exception handling',
  wall_ms: 'wall time',
  cpu_ms: 'CPU time',
  wall_ms_passing: 'wall time, passing',
  cpu_ms_passing: 'CPU time, passing',
};

const noRobunfr: RobunfrReport = {
  summaries: [],
  phrasings: [],
  workflows: [],
  regressions: [],
  updates: [],
  failures: [],
  broken: [],
  history: [],
  printed: [],
};

export async function collectRobunfr(database: RunDatabase): Promise<RobunfrReport> {
  if (!database.manifests.some((manifest) => robunfrStudies(manifest).length > 0)) return noRobunfr;
  const tables = await currentRobunfrTables(database);
  const { summaries, regressions } = robunfrBoard(tables);
  return {
    summaries,
    phrasings: tables.nfr_phrasings.filter((row) => row['value'] !== null).map(phrasingOf),
    workflows: tables.nfr_workflows
      .filter((row) => row['mean'] !== null)
      .map(averageOf)
      .toSorted(inOrder),
    regressions,
    updates: updatesOf(regressions),
    failures: await failureCounts(database),
    broken: await brokenTasks(database),
    history: await verdictHistory(database),
    printed: database.manifests.flatMap(printedStudies),
  };
}

const printedFormats: Readonly<Record<string, string>> = {
  humaneval: 'HumanEval',
  'humaneval-et': 'HumanEval-ET',
  'mbpp-sanitized': 'MBPP',
  'mbpp-et': 'MBPP-ET',
};

function printedStudies(manifest: Manifest): PrintedStudy[] {
  return robunfrStudies(manifest).flatMap((study) => {
    const { format, suites = ['base'] } = manifest.spec.benchmarks[study.benchmark] ?? {};
    const benchmark = format === undefined || format.endsWith('-et') ? undefined : printedFormats[format];
    if (benchmark === undefined) return [];
    const named = suites.flatMap((suite) => {
      const [own, name] = typeof suite === 'string' ? [suite, benchmark] : [suite.name, printedFormats[suite.format]];
      return name === undefined ? [] : [{ suite: own, name }];
    });
    return [{ run: manifest.runId, study: study.name, benchmark, suites: named }];
  });
}

/** Over all studies of a run that compare the same two versions: each has a benchmark of its own. */
function updatesOf(regressions: readonly RegressionRow[]): UpdateSummary[] {
  const groups = Map.groupBy(regressions, ({ run, old, now }) => JSON.stringify([run, old, now]));
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const deltas = rows.map((row) => ({ ...row, metric: measureName(row) }));
    return [{ run: first.run, old: first.old, now: first.now, ranges: deltaRanges(deltas), tradeOffs: tradeOffs(deltas) }];
  });
}

const placeOf = (row: Row) => ({
  run: textOf(row, 'run'),
  study: textOf(row, 'study'),
  workflow: textOf(row, 'setting'),
  dimension: textOf(row, 'dimension'),
  metric: textOf(row, 'metric'),
  suite: row['suite'] == null ? null : textOf(row, 'suite'),
});

const phrasingOf = (row: Row): PhrasingValue => ({
  ...placeOf(row),
  model: textOf(row, 'model'),
  phrasing: row['phrasing'] == null ? null : textOf(row, 'phrasing'),
  value: numberOf(row, 'value'),
});

const averageOf = (row: Row): WorkflowAverage => ({
  ...placeOf(row),
  benchmark: textOf(row, 'benchmark'),
  mean: numberOf(row, 'mean'),
  stdev: row['stdev'] == null ? null : numberOf(row, 'stdev'),
  deltaPercent: row['delta_percent'] == null ? null : numberOf(row, 'delta_percent'),
  intervals: { mean: estimateOf(row, 'mean'), stdev: estimateOf(row, 'stdev'), deltaPercent: estimateOf(row, 'delta_percent') },
  ratio: estimateOf(row, 'ratio'),
  ratioWorkflows: estimateOf(row, 'ratio_workflows'),
  pRatio: numberOrNull(row, 'p_ratio_workflows'),
  pMeans: numberOrNull(row, 'p_workflows'),
  tasks: numberOrNull(row, 'n'),
  models: numberOf(row, 'n_models'),
  simulated: row['simulated'] === true,
});
