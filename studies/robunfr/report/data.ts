/** A report's data about RobuNFR studies. */
import { type DeltaRange, deltaRanges, type TradeOff, tradeOffs } from '../results/rows/regression-summary.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row } from '../../../schemas/tables.ts';
import { inOrder, type NfrRow, type RegressionRow, robunfrBoard } from '../results/board.ts';
import { type Estimate, estimateOf } from '../../../analysis/estimate.ts';
import { type BrokenTask, brokenTasks, type FailureCounts, failureCounts } from '../results/failures.ts';
import { type HistoryStep, verdictHistory } from '../results/history.ts';
import { currentRobunfrTables, robunfrStudies } from '../results/tables.ts';
import { measureName } from './names.ts';
import type { RunDatabase } from '../../../analysis/database.ts';

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

/** A study on a benchmark of the paper, whose values can be compared with the published ones. */
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
  readonly intervals: {
    readonly mean: Estimate | null;
    readonly stdev: Estimate | null;
    readonly deltaPercent: Estimate | null;
  };
  /** Only for times: ratio to Function-Only, and to the other workflow, task by task. */
  readonly ratio: Estimate | null;
  readonly ratioWorkflows: Estimate | null;
  readonly pRatio: number | null;
  readonly pMeans: number | null;
  readonly tasks: number | null;
  readonly models: number;
  /** Whether any of the models is simulated. */
  readonly simulated: boolean;
}

/** A pair of versions, over all studies that compare it. */
export interface UpdateSummary {
  readonly run: string;
  readonly old: string;
  readonly now: string;
  readonly ranges: readonly DeltaRange[];
  readonly tradeOffs: readonly TradeOff[];
}

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

/** Combines all studies of a run that compare the same two versions, each on its own benchmark. */
function updatesOf(regressions: readonly RegressionRow[]): UpdateSummary[] {
  const groups = Map.groupBy(regressions, ({ run, old, now }) => JSON.stringify([run, old, now]));
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const deltas = rows.map((row) => ({ ...row, metric: measureName(row) }));
    return [
      { run: first.run, old: first.old, now: first.now, ranges: deltaRanges(deltas), tradeOffs: tradeOffs(deltas) },
    ];
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
  intervals: {
    mean: estimateOf(row, 'mean'),
    stdev: estimateOf(row, 'stdev'),
    deltaPercent: estimateOf(row, 'delta_percent'),
  },
  ratio: estimateOf(row, 'ratio'),
  ratioWorkflows: estimateOf(row, 'ratio_workflows'),
  pRatio: numberOrNull(row, 'p_ratio_workflows'),
  pMeans: numberOrNull(row, 'p_workflows'),
  tasks: numberOrNull(row, 'n'),
  models: numberOf(row, 'n_models'),
  simulated: row['simulated'] === true,
});
