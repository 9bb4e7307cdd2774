/**
 * Rows of tables `nfr_summary`, `nfr_stdev_parts` and `nfr_phrasings` of one study and model: AVG and STDEV over
 * phrasings, and the change from Function-Only.
 */
import type { Row } from '../../../../schemas/tables.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { deviationMethod } from '../../../../domain/statistics/intervals/deviation-interval.ts';
import { defaultLevel, hullOf, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { openSpreadInterval } from '../../../../domain/metrics/sides/open-spread.ts';
import { deltaPercent } from '../../../../domain/metrics/delta.ts';
import {
  averageOverPhrasings,
  changeInterval,
  logRatio,
  type RatioOfTimes,
  ratioOfTimes,
  spreadInterval,
  type TaskWithBaseline,
} from '../../../../domain/metrics/nfr-intervals.ts';
import {
  type MatchedAverages,
  matchedAverages,
  matchedTasks,
} from '../../../../domain/metrics/sides/matched-averages.ts';
import {
  type ConditionCells,
  conditionCells,
  functionOnlyOf,
  type Measure,
  measuresOf,
  partOf,
  type Solution,
} from '../../../../domain/metrics/nfr-solutions.ts';
import { type PhrasingSpread, phrasingSpread, type TaskParts } from '../../../../domain/metrics/phrasing-values.ts';
import {
  type SolutionMetric,
  type SolutionMetricName,
  solutionMetrics,
} from '../../../../domain/metrics/solution-metrics.ts';
import { stdevParts, stdevPartsMethod } from '../../../../domain/metrics/variance/stdev-parts.ts';

export interface NfrKey {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly language: string;
}

export interface NfrSettings {
  /** Share of tasks whose reference passes a suite; null if unknown. */
  readonly ceiling: (suite: string) => number | null;
  /** Text that says why a metric has no values. */
  readonly missing: (measure: Measure) => string;
}

export interface NfrSummary {
  readonly nfr_summary: readonly Row[];
  readonly nfr_stdev_parts: readonly Row[];
  readonly nfr_phrasings: readonly Row[];
  /** What is behind each row of `nfr_summary`, in the same order. */
  readonly behind: readonly BehindRow[];
}

export interface BehindRow {
  readonly tasks: readonly TaskWithBaseline[];
  /** Those that the change from Function-Only is of. */
  readonly averages: MatchedAverages;
}

export const stdevMethod = `of stdev ${deviationMethod}, over phrasings`;

export function nfrSummaryRows(key: NfrKey, solutions: readonly Solution[], settings: NfrSettings): NfrSummary {
  const conditions = conditionCells(solutions);
  const baseline = functionOnlyOf(conditions);
  const rows = conditions.flatMap((cells) =>
    measuresOf(solutions).map((measure) => conditionRows(key, cells, baseline, measure, settings)),
  );
  return {
    nfr_summary: rows.map(({ summary }) => summary),
    nfr_stdev_parts: rows.map(({ split }) => split).filter((split) => split !== null),
    nfr_phrasings: rows.flatMap(({ phrasings }) => phrasings),
    behind: rows.map(({ tasks, averages }) => ({ tasks, averages })),
  };
}

interface ConditionRows extends BehindRow {
  readonly summary: Row;
  /** The parts of STDEV; null for measures without parts. */
  readonly split: Row | null;
  readonly phrasings: readonly Row[];
}

function conditionRows(
  key: NfrKey,
  cells: ConditionCells,
  baseline: ConditionCells | undefined,
  measure: Measure,
  settings: NfrSettings,
): ConditionRows {
  const { metric, suite } = measure;
  const { scale, unit } = solutionMetrics[metric];
  const tasks = withBaseline(cells, baseline, measure);
  const ownParts = tasks.map((task) => task.own);
  const spread = phrasingSpread(ownParts, scale);
  const matched = matchedTasks(tasks);
  const averages = matchedAverages(matched, scale);
  const own = { ...key, setting: cells.setting, dimension: cells.dimension, metric, suite };
  const summary: Row = {
    ...own,
    n_values: spread.values.filter((value) => value !== null).length,
    ...endColumns('mean', spread.mean, spread.mean === null ? null : averageOverPhrasings(metric, ownParts)),
    ...endColumns('stdev', spread.stdev, stdevInterval(spread, ownParts, { scale, unit })),
    ...baselineColumns(metric, matched, averages, cells === baseline),
    ...ratioColumns(
      'ratio',
      cells === baseline || unit !== 'ms' ? null : ratioOfTimes(tasks.flatMap((task) => logRatio(task) ?? [])),
    ),
    level: defaultLevel,
    confidence: defaultLevel,
    method: `${boundedMeanMethod}; ${stdevMethod}`,
    n: spread.n,
    n_tasks: tasks.filter((task) => task.own.some((part) => part !== null)).length,
    n_excluded: spread.nExcluded,
    reason: spread.mean === null ? settings.missing(measure) : null,
    ceiling: suite === null ? null : percentage(settings.ceiling(suite)),
    simulated: cells.simulated,
  };
  const phrasings = cells.places.map((place, index): Row => {
    const parts = ownParts.map((task) => [task[index] ?? null]);
    const value = spread.values[index] ?? null;
    return {
      ...own,
      ...place,
      ...endColumns('value', value, value === null ? null : averageOverPhrasings(metric, parts)),
      n: parts.filter(([part]) => part !== null).length,
      confidence: defaultLevel,
      interval_method: boundedMeanMethod,
      simulated: cells.simulated,
    };
  });
  const split = unit === '%' ? stdevPartRow(own, ownParts, scale, cells.simulated) : null;
  return { summary, split, phrasings: spread.mean === null ? [] : phrasings, tasks, averages };
}

/** Of pass@1 with all that answers which could not be judged allow, of the tasks with a judged one. */
const stdevInterval = (
  spread: PhrasingSpread,
  tasks: readonly TaskParts[],
  { scale, unit }: Pick<SolutionMetric, 'scale' | 'unit'>,
): Interval | null =>
  unit === '%'
    ? openSpreadInterval(tasks.filter((parts) => parts.some((part) => part !== null)))
    : spreadInterval(spread, tasks, { scale, unit });

/** AVG of Function-Only over the same tasks, and the change from it. @param tasks those that count in both */
function baselineColumns(
  metric: SolutionMetricName,
  tasks: readonly TaskWithBaseline[],
  averages: MatchedAverages,
  isBaseline: boolean,
): Row {
  const { own, plain } = averages;
  const plainParts = tasks.map((task) => task.plain);
  const found = plain === null ? null : averageOverPhrasings(metric, plainParts);
  const change = isBaseline
    ? null
    : changeInterval(
        metric,
        tasks.map((task) => task.own),
        plainParts,
        averages,
      );
  return {
    ...endColumns(
      'function_only',
      plain,
      plain === null || found === null ? found : hullOf(found, { lo: plain, hi: plain }),
    ),
    ...endColumns('delta_percent', deltaPercent(own, plain), change),
  };
}

/** Null for fewer than two phrasings. */
function stdevPartRow(own: Row, parts: readonly TaskParts[], scale: number, simulated: boolean): Row | null {
  if ((parts[0]?.length ?? 0) < 2) return null;
  const found = stdevParts(parts, scale);
  return {
    ...own,
    ...endColumns('phrasing', found?.phrasing.value ?? null, found?.phrasing.interval ?? null),
    ...endColumns('chance', found?.chance.value ?? null, found?.chance.interval ?? null),
    n_tasks: found?.tasks ?? 0,
    confidence: defaultLevel,
    method: stdevPartsMethod,
    reason: found === null ? 'fewer than two tasks have a value for every phrasing' : null,
    simulated,
  };
}

/** The tasks of the condition; `plain` has no parts for a task that Function-Only lacks. */
function withBaseline(
  cells: ConditionCells,
  baseline: ConditionCells | undefined,
  measure: Measure,
): TaskWithBaseline[] {
  const width = baseline?.places.length ?? 0;
  return [...cells.tasks].map(([taskId, solutions]) => {
    const plain = baseline?.tasks.get(taskId) ?? Array.from({ length: width }, () => undefined);
    return {
      taskId,
      own: solutions.map((solution) => partOf(solution, measure)),
      plain: plain.map((solution) => partOf(solution, measure)),
    };
  });
}

/** NAME, NAME_lo, NAME_hi. */
export const endColumns = (name: string, value: number | null, interval: Interval | null): Row => ({
  [name]: value,
  [`${name}_lo`]: value === null ? null : (interval?.lo ?? null),
  [`${name}_hi`]: value === null ? null : (interval?.hi ?? null),
});

/** Null for metrics other than times, and for Function-Only itself. */
export const ratioColumns = (name: string, found: RatioOfTimes | null): Row => ({
  ...endColumns(name, found?.ratio ?? null, found?.interval ?? null),
  [`n_${name}`]: found?.ratio == null ? null : found.n,
});

const percentage = (share: number | null): number | null => (share === null ? null : 100 * share);
