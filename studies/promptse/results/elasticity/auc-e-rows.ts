/** Rows of table `auc_e`: a model's summary from its rows of table `elasticity`, with intervals over tasks. */
import { type Row, tables } from '../../../../schemas/tables.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { aucE, aucENormalized } from './auc-e.ts';
import { type ByDistance, distances } from '../../distances.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { differenceBounds, meanColumns, shareBounds } from '../../../../domain/metrics/score-intervals.ts';

/** The values of one counted task that the estimates need. */
interface TaskCurve {
  readonly passRate: number | null;
  readonly samples: number;
  readonly original: number;
  readonly scores: ByDistance<number>;
  readonly elasticity: ByDistance<number>;
  /** Null if the original has no second draw with a score. */
  readonly chance: ChanceCurve | null;
}

interface ChanceCurve {
  readonly floor: ByDistance<number>;
  readonly excess: ByDistance<number>;
}

/**
 * One row per (run, study, model, benchmark, language, setting, method), in key order. `models` gives family and size.
 */
export function aucERows(elasticities: readonly Row[], models: readonly Row[] = []): Row[] {
  const sorted = elasticities.toSorted(compareByColumns([...tables.auc_e.key, 'task_id', 'distance']));
  return groupByColumns(sorted, tables.auc_e.key).map((group) => aucERow(group, models));
}

function aucERow(group: readonly Row[], models: readonly Row[]): Row {
  const tasks = groupByColumns(group, ['task_id']);
  const curves = tasks.flatMap((rows) => curveOf(rows) ?? []);
  const first = group[0] as Row;
  const model = models.find((row) => row['run'] === first['run'] && row['model'] === first['model']);
  return {
    ...Object.fromEntries(tables.auc_e.key.map((column) => [column, first[column] ?? null])),
    family: model?.['family'] ?? null,
    size_b: model?.['size_b'] ?? null,
    ...estimates(curves),
    level: defaultLevel,
    confidence: defaultLevel,
    interval_method: boundedMeanMethod,
    samples: curves.length === 0 ? null : curves.reduce((most, { samples }) => Math.max(most, samples), 0),
    n: curves.length,
    n_floor: chanceCurves(curves).length,
    n_excluded: tasks.length - curves.length,
    reason: curves.length > 0 ? null : commonReason(group),
    simulated: group.some((row) => row['simulated'] === true),
  };
}

/** Null when the task lacks an elasticity at some distance. */
function curveOf(rows: readonly Row[]): TaskCurve | null {
  const at = distances.map((distance) =>
    rows.find((row) => row['distance'] === distance && row['elasticity'] !== null),
  );
  if (at.some((row) => row === undefined)) return null;
  const column = (name: string): ByDistance<number> =>
    at.map((row) => numberOf(row as Row, name)) as unknown as ByDistance<number>;
  const first = at[0] as Row;
  return {
    passRate: (first['pass_rate_original'] ?? null) as number | null,
    samples: (first['n_samples'] ?? 0) as number,
    original: numberOf(first, 'score_original'),
    scores: column('score_variants'),
    elasticity: column('elasticity'),
    chance: at.some((row) => row?.['floor'] === null) ? null : { floor: column('floor'), excess: column('excess') },
  };
}

const chanceCurves = (curves: readonly TaskCurve[]): ChanceCurve[] => curves.flatMap(({ chance }) => chance ?? []);

/** Why no task counts. A task may have an elasticity at some distances, but at all it must. */
function commonReason(group: readonly Row[]): string {
  const without = group.filter((row) => row['reason'] !== null);
  const atAll = 'no task has an elasticity at all three distances';
  const [first] = without;
  if (first === undefined) return atAll;
  const [reason, taskId] = [textOf(first, 'reason'), textOf(first, 'task_id')];
  const isOne = without.every((row) => row['reason'] === reason);
  const others = isOne ? '' : '; the others are in table elasticity';
  if (without.length < group.length)
    return `${atAll}; of ${taskId} at ${String(first['distance'])}: ${reason}${others}`;
  return isOne ? `no task counts: ${reason}` : `no task counts; of ${taskId}: ${reason}${others}`;
}

const byDistance = <T>(value: (index: 0 | 1 | 2) => T): ByDistance<T> => [value(0), value(1), value(2)];
const suffixes = ['d01', 'd02', 'd03'] as const;

/** The greatest AUC-E as the paper prints it. */
const greatestArea = aucE([1, 1, 1]);
const areaBounds: Interval = { lo: 0, hi: greatestArea };
const excessBounds: Interval = { lo: -greatestArea, hi: greatestArea };

/**
 * AUC-E is linear, so the AUC-E of the mean curve equals the mean of the tasks' AUC-E. Floors and excess are over the
 * tasks that have them, as on cards and in `compare`.
 */
function estimates(curves: readonly TaskCurve[]): Row {
  const over = (name: string, bounds: Interval, value: (curve: TaskCurve) => number | null): Row => {
    const values = curves.map(value);
    // If any task has no value, the mean would be over other tasks than the rest of the row.
    return meanColumns(name, values.every((one) => one !== null) ? values : [], bounds);
  };
  const chances = chanceCurves(curves);
  const overChances = (name: string, bounds: Interval, value: (chance: ChanceCurve) => number): Row =>
    meanColumns(name, chances.map(value), bounds);
  const perDistance = byDistance((index) => {
    const suffix = suffixes[index];
    return {
      ...over(`score_${suffix}`, shareBounds, ({ scores }) => scores[index]),
      ...over(`e_${suffix}`, shareBounds, ({ elasticity }) => elasticity[index]),
      ...overChances(`floor_${suffix}`, shareBounds, ({ floor }) => floor[index]),
      ...overChances(`excess_${suffix}`, differenceBounds, ({ excess }) => excess[index]),
    };
  });
  return {
    ...over('pass_at_1', shareBounds, ({ passRate }) => passRate),
    ...over('score_original', shareBounds, ({ original }) => original),
    ...perDistance[0],
    ...perDistance[1],
    ...perDistance[2],
    ...over('auc_e', areaBounds, ({ elasticity }) => aucE(elasticity)),
    ...over('auc_e_normalized', shareBounds, ({ elasticity }) => aucENormalized(elasticity)),
    ...overChances('auc_e_floor', areaBounds, ({ floor }) => aucE(floor)),
    ...overChances('auc_e_excess', excessBounds, ({ excess }) => aucE(excess)),
  };
}
