/** Rows of table `auc_e`: a model's summary from its rows of table `elasticity`, with task-clustered bootstrap intervals. */
import { type Row, tables } from '../../schemas/tables.ts';
import { seedOf } from '../random.ts';
import { clusterBootstrap, defaultResamples } from '../statistics/bootstrap.ts';
import { defaultLevel } from '../statistics/interval.ts';
import { aucE, aucENormalized, type ByDistance, distances } from './auc-e.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from './row-order.ts';

export interface AucESettings {
  /** The spec's seed; the bootstrap's own seed is made from it and the row's key. */
  readonly seed: number;
  /** Default 0.95. */
  readonly level?: number;
  /** Default 2,000. */
  readonly resamples?: number;
}

/** What the estimates need of one task that counts. */
interface TaskCurve {
  readonly passRate: number | null;
  readonly samples: number;
  readonly original: number;
  readonly scores: ByDistance<number>;
  readonly elasticity: ByDistance<number>;
  /** Null when the original was not drawn again. */
  readonly floor: ByDistance<number> | null;
}

/** One row per (run, study, model, benchmark, language, setting, method), in key order. `models` gives family and size. */
export function aucERows(elasticities: readonly Row[], settings: AucESettings, models: readonly Row[] = []): Row[] {
  const sorted = elasticities.toSorted(compareByColumns([...tables.auc_e.key, 'task_id', 'distance']));
  return groupByColumns(sorted, tables.auc_e.key).map((group) => aucERow(group, settings, models));
}

function aucERow(group: readonly Row[], settings: AucESettings, models: readonly Row[]): Row {
  const tasks = groupByColumns(group, ['task_id']);
  const curves = tasks.flatMap((rows) => curveOf(rows) ?? []);
  const first = group[0] as Row;
  const model = models.find((row) => row['run'] === first['run'] && row['model'] === first['model']);
  const seed = seedOf('auc_e', settings.seed, ...tables.auc_e.key.slice(1).map((column) => textOf(first, column)));
  return {
    ...Object.fromEntries(tables.auc_e.key.map((column) => [column, first[column] ?? null])),
    family: model?.['family'] ?? null,
    size_b: model?.['size_b'] ?? null,
    ...estimates(curves, { ...settings, seed }),
    level: settings.level ?? defaultLevel,
    interval_method: `percentile bootstrap over tasks, ${settings.resamples ?? defaultResamples} resamples`,
    samples: curves.length === 0 ? null : curves.reduce((most, { samples }) => Math.max(most, samples), 0),
    n: curves.length,
    n_excluded: tasks.length - curves.length,
    reason: curves.length > 0 ? null : commonReason(group),
    simulated: group.some((row) => row['simulated'] === true),
  };
}

/** Null when the task lacks an elasticity at some distance. */
function curveOf(rows: readonly Row[]): TaskCurve | null {
  const at = distances.map((distance) => rows.find((row) => row['distance'] === distance && row['elasticity'] !== null));
  if (at.some((row) => row === undefined)) return null;
  const column = (name: string): ByDistance<number> => at.map((row) => numberOf(row as Row, name)) as unknown as ByDistance<number>;
  const first = at[0] as Row;
  return {
    passRate: (first['pass_rate_original'] ?? null) as number | null,
    samples: (first['n_samples'] ?? 0) as number,
    original: numberOf(first, 'score_original'),
    scores: column('score_variants'),
    elasticity: column('elasticity'),
    floor: at.some((row) => row?.['floor'] === null) ? null : column('floor'),
  };
}

const commonReason = (group: readonly Row[]): string => {
  const reasons = group.flatMap((row) => (row['reason'] === null ? [] : [textOf(row, 'reason')]));
  return reasons[0] === undefined ? 'no task has an elasticity at all three distances' : `no task counts: ${reasons[0]}`;
};

type Statistic = (curves: readonly TaskCurve[]) => number | null;

function mean(curves: readonly TaskCurve[], value: (curve: TaskCurve) => number | null | undefined): number | null {
  let sum = 0;
  for (const curve of curves) {
    const one = value(curve);
    if (one === null || one === undefined) return null;
    sum += one;
  }
  return curves.length === 0 ? null : sum / curves.length;
}

const byDistance = <T>(value: (index: 0 | 1 | 2) => T): ByDistance<T> => [value(0), value(1), value(2)];
const suffixes = ['d01', 'd02', 'd03'] as const;

/** AUC-E is linear, so that of the mean curve is the mean of the tasks' own. */
const elasticityArea: Statistic = (curves) => mean(curves, ({ elasticity }) => aucE(elasticity));
const floorArea: Statistic = (curves) => mean(curves, ({ floor }) => floor && aucE(floor));
const excessArea: Statistic = (curves) => mean(curves, ({ elasticity, floor }) => floor && aucE(elasticity) - aucE(floor));
const normalizedArea: Statistic = (curves) => mean(curves, ({ elasticity }) => aucENormalized(elasticity));

function estimates(curves: readonly TaskCurve[], settings: AucESettings): Row {
  const spread = (name: string, statistic: Statistic): Row => {
    const estimate = statistic(curves);
    const interval = estimate === null ? null : clusterBootstrap(curves, statistic, settings).interval;
    return { [name]: estimate, [`${name}_lo`]: interval?.lo ?? null, [`${name}_hi`]: interval?.hi ?? null };
  };
  const perDistance = byDistance((index) => ({
    [`score_${suffixes[index]}`]: mean(curves, ({ scores }) => scores[index]),
    ...spread(`e_${suffixes[index]}`, (drawn) => mean(drawn, ({ elasticity }) => elasticity[index])),
    [`floor_${suffixes[index]}`]: mean(curves, ({ floor }) => floor?.[index]),
    ...spread(`excess_${suffixes[index]}`, (drawn) => mean(drawn, ({ elasticity, floor }) => floor && elasticity[index] - floor[index])),
  }));
  return {
    ...spread('pass_at_1', (drawn) => mean(drawn, ({ passRate }) => passRate)),
    score_original: mean(curves, ({ original }) => original),
    ...perDistance[0],
    ...perDistance[1],
    ...perDistance[2],
    ...spread('auc_e', elasticityArea),
    ...spread('auc_e_normalized', normalizedArea),
    auc_e_floor: floorArea(curves),
    ...spread('auc_e_excess', excessArea),
  };
}
