/**
 * Rows of table `nfr_workflows`: averages over the models of a study (tables 5 and 6), from its rows of table
 * `nfr_summary`.
 */
import { type Row, tables } from '../../../../schemas/tables.ts';
import { averageInterval } from '../../../../domain/statistics/intervals/average-interval.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import { averageOverModels, changeOverModels, type ModelSpread } from './model-averages.ts';
import {
  contributionsOf,
  logRatio,
  percentInterval,
  rangeOf,
  ratioOfTimes,
  type TaskWithBaseline,
} from '../../../../domain/metrics/nfr-intervals.ts';
import { type MatchedAverages, matchedTasks } from '../../../../domain/metrics/sides/matched-averages.ts';
import { type BehindRow, endColumns, ratioColumns, stdevMethod } from './summary-rows.ts';
import { groupByColumns, numberOrNull } from '../../../../domain/metrics/row-order.ts';
import { type SolutionMetricName, solutionMetrics } from '../../../../domain/metrics/solution-metrics.ts';
import { changeBounds } from '../../../../domain/metrics/task-range.ts';
import type { WorkflowTest } from './workflow-times.ts';

/** A row of `nfr_summary` and what is behind it. */
export interface SummarizedTasks extends BehindRow {
  readonly row: Row;
}

const workflowMethod = [
  `${boundedMeanMethod}, the models as they are`,
  `${stdevMethod}, put together over models by the distances of its ends (MOVER)`,
].join('; ');

/** @param tests of the two workflows' times; empty for a study without both */
export function nfrWorkflowRows(summarized: readonly SummarizedTasks[], tests: readonly WorkflowTest[]): Row[] {
  const behindOf = new Map(summarized.map(({ row, ...behind }) => [row, behind]));
  const summaries = summarized.map(({ row }) => row);
  return groupByColumns(summaries, tables.nfr_workflows.key).map((group) => {
    const counted = group.filter((row) => row['mean'] !== null);
    const behind = counted.flatMap((row) => behindOf.get(row) ?? []);
    const { mean: average, stdev, n } = averageOverModels(group.map(spreadOf));
    const change = changeOverModels(behind.map(({ averages }) => averages));
    const isPlain = group[0]?.['dimension'] === 'function-only';
    const metric = (group[0]?.['metric'] ?? 'pass_at_1') as SolutionMetricName;
    const intervals = intervalsOf(
      metric,
      behind.map(({ tasks }) => tasks),
    );
    return {
      ...Object.fromEntries(tables.nfr_workflows.key.map((column) => [column, group[0]?.[column] ?? null])),
      ...endColumns('mean', average, intervals.mean),
      ...endColumns('stdev', stdev, stdevInterval(counted)),
      ...endColumns('delta_percent', change.deltaPercent, isPlain ? null : percentOf(metric, behind, change)),
      n_models: n,
      ...testOf(group[0], tests),
      ...ratioColumns('ratio', isPlain ? null : intervals.ratio),
      n: intervals.tasks,
      confidence: defaultLevel,
      interval_method: workflowMethod,
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}

/** Of each task in turn, the models' contributions to their AVGs; null where a model has none. */
function modelColumns(
  metric: SolutionMetricName,
  models: readonly (readonly TaskWithBaseline[])[],
  side: 'own' | 'plain',
): (number | null)[][] {
  const byModel = models.map((tasks) => {
    const values = contributionsOf(
      metric,
      tasks.map((task) => task[side]),
    );
    return new Map(tasks.map(({ taskId }, index) => [taskId, values[index] ?? null]));
  });
  return namesOf(models).map((name) => byModel.map((own) => own.get(name) ?? null));
}

const namesOf = (models: readonly (readonly TaskWithBaseline[])[]): string[] =>
  [...new Set(models.flatMap((tasks) => tasks.map(({ taskId }) => taskId)))].toSorted();

/** Intervals over tasks: each task's value is the average over models of its contribution to their AVGs. */
function intervalsOf(metric: SolutionMetricName, models: readonly (readonly TaskWithBaseline[])[]) {
  const known = modelColumns(metric, models, 'own').filter((values) => values.some((value) => value !== null));
  const logs = namesOf(models).flatMap((name) => {
    const found = models.flatMap((tasks) => tasks.filter(({ taskId }) => taskId === name)).map(logRatio);
    return mean(found.filter((log) => log !== null)) ?? [];
  });
  return {
    mean: known.length === 0 ? null : meanInterval(metric, known),
    ratio: solutionMetrics[metric].unit === 'ms' ? ratioOfTimes(logs) : null,
    tasks: known.length,
  };
}

/** Interval of the change from Function-Only, of the tasks that count on both sides with every model. */
function percentOf(
  metric: SolutionMetricName,
  behind: readonly BehindRow[],
  { own, plain }: MatchedAverages,
): Interval | null {
  if (own === null || plain === null) return null;
  const models = behind.flatMap(({ tasks, averages }) => (averages.own === null ? [] : [matchedTasks(tasks)]));
  const whole = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value !== null) ? mean(values) : null;
  const [with_, without] = (['own', 'plain'] as const).map((side) => modelColumns(metric, models, side).map(whole));
  return percentInterval(metric, with_ ?? [], without ?? [], { own, plain });
}

function meanInterval(metric: SolutionMetricName, tasks: readonly (readonly (number | null)[])[]): Interval | null {
  const values = tasks.flatMap((task) => task.flatMap((value) => value ?? []));
  const interval = averageInterval(tasks, changeBounds(rangeOf(metric, values), 0, values));
  return interval && { lo: Math.max(0, interval.lo), hi: interval.hi };
}

/**
 * Interval of the mean of the models' STDEVs, from their intervals as if independent (MOVER, Zou and Donner 2008).
 */
function stdevInterval(rows: readonly Row[]): Interval | null {
  const known = rows.flatMap((row) => {
    const [stdev, lo, hi] = ['stdev', 'stdev_lo', 'stdev_hi'].map((column) => numberOrNull(row, column)) as [
      number,
      number | null,
      number | null,
    ];
    return lo === null || hi === null ? [] : [{ stdev, below: stdev - lo, above: hi - stdev }];
  });
  if (known.length === 0) return null;
  const middle = mean(known.map(({ stdev }) => stdev)) as number;
  const away = (side: 'below' | 'above'): number => Math.hypot(...known.map((one) => one[side])) / known.length;
  return { lo: Math.max(0, middle - away('below')), hi: middle + away('above') };
}

/** The test of a requirement; Function-Only has none. */
function testOf(row: Row | undefined, tests: readonly WorkflowTest[]): Row {
  const test = tests.find(({ dimension, metric }) => dimension === row?.['dimension'] && metric === row['metric']);
  const other = test === undefined || row?.['setting'] === 'nfr-enhanced' ? 1 : -1;
  return {
    p_workflows: test?.p ?? null,
    n_tasks: test?.p == null ? null : test.n,
    ...ratioColumns('ratio_workflows', test === undefined ? null : ratioOfTimes(test.logs.map((log) => other * log))),
    p_ratio_workflows: test?.pLogs ?? null,
  };
}

const spreadOf = (row: Row): ModelSpread => ({ mean: numberOrNull(row, 'mean'), stdev: numberOrNull(row, 'stdev') });
