/**
 * Rows of table `nfr_workflows`: averages over the models of a study (tables 5 and 6), from its rows of table
 * `nfr_summary`.
 */
import { type Row, tables } from '../../../../schemas/tables.ts';
import { averageInterval } from '../../../../domain/statistics/intervals/average-interval.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import { averageOverModels, type ModelSpread } from './model-averages.ts';
import {
  contributionsOf,
  logRatio,
  percentInterval,
  rangeOf,
  ratioOfTimes,
  type TaskWithBaseline,
} from '../../../../domain/metrics/nfr-intervals.ts';
import { endColumns, ratioColumns, stdevMethod } from './summary-rows.ts';
import { groupByColumns, numberOrNull } from '../../../../domain/metrics/row-order.ts';
import { type SolutionMetricName, solutionMetrics } from '../../../../domain/metrics/solution-metrics.ts';
import { changeBounds } from '../../../../domain/metrics/task-range.ts';
import type { WorkflowTest } from './workflow-times.ts';

/** A row of `nfr_summary` and the tasks behind it. */
export interface SummarizedTasks {
  readonly row: Row;
  readonly tasks: readonly TaskWithBaseline[];
}

const workflowMethod = [
  `${boundedMeanMethod}, the models as they are`,
  `${stdevMethod}, put together over models by the distances of its ends (MOVER)`,
].join('; ');

/** @param tests of the two workflows' times; empty for a study without both */
export function nfrWorkflowRows(summarized: readonly SummarizedTasks[], tests: readonly WorkflowTest[]): Row[] {
  const summaries = summarized.map(({ row }) => row);
  const tasksOf = new Map(summarized.map(({ row, tasks }) => [row, tasks]));
  return groupByColumns(summaries, tables.nfr_workflows.key).map((group) => {
    const models = new Set(group.map((row) => row['model']));
    const plain = summaries.filter(
      (row) => row['dimension'] === 'function-only' && models.has(row['model'] ?? null) && sameMeasure(row, group[0]),
    );
    const { mean: average, stdev, deltaPercent, n } = averageOverModels(group.map(spreadOf), plain.map(spreadOf));
    const counted = group.filter((row) => row['mean'] !== null);
    const isPlain = group[0]?.['dimension'] === 'function-only';
    const intervals = intervalsOf(counted, tasksOf, mean(plain.flatMap((row) => numberOrNull(row, 'mean') ?? [])));
    return {
      ...Object.fromEntries(tables.nfr_workflows.key.map((column) => [column, group[0]?.[column] ?? null])),
      ...endColumns('mean', average, intervals.mean),
      ...endColumns('stdev', stdev, stdevInterval(counted)),
      ...endColumns('delta_percent', deltaPercent, isPlain ? null : intervals.percent),
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

/** Intervals over tasks: each task's value is the average over models of its contribution to their AVGs. */
function intervalsOf(
  rows: readonly Row[],
  tasksOf: ReadonlyMap<Row, readonly TaskWithBaseline[]>,
  plainMean: number | null,
) {
  const metric = (rows[0]?.['metric'] ?? 'pass_at_1') as SolutionMetricName;
  const models = rows.map((row) => tasksOf.get(row) ?? []);
  const names = [...new Set(models.flatMap((tasks) => tasks.map(({ taskId }) => taskId)))].toSorted();
  const byModel = (side: 'own' | 'plain') =>
    models.map((tasks) => {
      const values = contributionsOf(
        metric,
        tasks.map((task) => task[side]),
      );
      return new Map(tasks.map(({ taskId }, index) => [taskId, values[index] ?? null]));
    });
  const columns = (side: 'own' | 'plain'): (number | null)[][] => {
    const values = byModel(side);
    return names.map((name) => values.map((own) => own.get(name) ?? null));
  };
  const [own, plain] = [columns('own'), columns('plain')];
  const known = own.filter((values) => values.some((value) => value !== null));
  const whole = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value !== null) ? mean(values) : null;
  const averages = { own: mean(rows.flatMap((row) => numberOrNull(row, 'mean') ?? [])), plain: plainMean };
  const logs = names.flatMap((name) => {
    const found = models.flatMap((tasks) => tasks.filter(({ taskId }) => taskId === name)).map(logRatio);
    return mean(found.filter((log) => log !== null)) ?? [];
  });
  return {
    mean: known.length === 0 ? null : meanInterval(metric, known),
    percent:
      averages.own === null || averages.plain === null
        ? null
        : percentInterval(metric, own.map(whole), plain.map(whole), { own: averages.own, plain: averages.plain }),
    ratio: solutionMetrics[metric].unit === 'ms' ? ratioOfTimes(logs) : null,
    tasks: known.length,
  };
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

const sameMeasure = (row: Row, other: Row | undefined): boolean =>
  ['run', 'study', 'benchmark', 'language', 'metric', 'suite'].every((column) => row[column] === other?.[column]);

const spreadOf = (row: Row): ModelSpread => ({ mean: numberOrNull(row, 'mean'), stdev: numberOrNull(row, 'stdev') });
