/** RQ1: performance and stability of models. */
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { spearmanInterval } from '../../../../domain/statistics/intervals/correlation-interval.ts';
import { quantile } from '../../../../domain/statistics/quantile.ts';
import { shareInterval } from '../../../../domain/statistics/intervals/share-interval.ts';
import { spearman } from '../../../../domain/statistics/ranks/spearman.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { TestResult } from '../../../../domain/statistics/tests/test-result.ts';
import { averageInterval } from '../../../../domain/statistics/intervals/average-interval.ts';
import { aucE } from '../elasticity/auc-e.ts';
import { groupOf, groupsOf, type ModelFacts } from '../../../../domain/metrics/model-groups.ts';

/** A model's performance and stability. */
export interface ModelPoint extends ModelFacts {
  readonly passAt1: number;
  readonly aucE: number;
  /** AUC-E minus its floor; null if the original was drawn only once. */
  readonly excess: number | null;
  /** The values of each task behind the means, for intervals of groups of models. */
  readonly tasks: ReadonlyMap<string, TaskPoint>;
}

export interface TaskPoint {
  readonly passAt1: number;
  readonly aucE: number;
  readonly excess: number | null;
}

export const quadrantNames = ['high, steady', 'high, touchy', 'low, steady', 'low, touchy'] as const;
export type Quadrant = (typeof quadrantNames)[number];

export interface GroupOfModels {
  readonly by: 'family' | 'size';
  readonly group: string;
  readonly n: number;
  readonly passAt1: number;
  readonly aucE: number;
  readonly least: number;
  readonly greatest: number;
  /** Null if any model of the group has no excess. */
  readonly excess: number | null;
  /** Over tasks, for the group's models. */
  readonly intervals: Readonly<Record<keyof TaskPoint, Interval | null>>;
  /** Number of tasks that count for any of the models. */
  readonly nTasks: number;
}

export interface Structure {
  readonly spearman: TestResult;
  /** Jackknife over models; null for fewer than five. */
  readonly interval: Interval | null;
  /** Correlation of pass@1 and the excess of AUC-E, over the models with an excess. */
  readonly excessSpearman: TestResult;
  readonly excessInterval: Interval | null;
  /** Models by median split, in the order of `quadrantNames`. A value at the median is high, or steady. */
  readonly quadrants: readonly [number, number, number, number];
  /** Clopper and Pearson's interval of each quadrant's share of the models. */
  readonly quadrantShares: readonly (Interval | null)[];
  readonly models: readonly (ModelPoint & { readonly quadrant: Quadrant })[];
  readonly groups: readonly GroupOfModels[];
}

export function structureOf(points: readonly ModelPoint[]): Structure {
  const columns = (some: readonly ModelPoint[]): [number[], number[]] => [
    some.map(({ passAt1 }) => passAt1),
    some.map(({ aucE: area }) => area),
  ];
  const rho = (some: readonly ModelPoint[]): TestResult => spearman(...columns(some));
  const spread = (all: readonly ModelPoint[]): Interval | null => spearmanInterval(...columns(all));
  const withExcess = points.flatMap((point) => (point.excess === null ? [] : [{ ...point, aucE: point.excess }]));
  const models = withQuadrants(points);
  const count = (name: Quadrant): number => models.filter(({ quadrant }) => quadrant === name).length;
  return {
    spearman: rho(points),
    interval: spread(points),
    excessSpearman: rho(withExcess),
    excessInterval: spread(withExcess),
    quadrants: [count('high, steady'), count('high, touchy'), count('low, steady'), count('low, touchy')],
    quadrantShares: quadrantNames.map((name) => shareInterval(count(name), points.length)),
    models,
    groups: (['family', 'size'] as const).flatMap((by) =>
      groupsOf(points, by).map((group) => groupOfModels(points, by, group)),
    ),
  };
}

function withQuadrants(points: readonly ModelPoint[]): Structure['models'] {
  if (points.length === 0) return [];
  const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
  const [pass, steady] = [median(points.map(({ passAt1 }) => passAt1)), median(points.map(({ aucE }) => aucE))];
  const name = ({ passAt1, aucE }: ModelPoint): Quadrant =>
    `${passAt1 >= pass ? 'high' : 'low'}, ${aucE >= steady ? 'steady' : 'touchy'}`;
  return points.map((point) => ({ ...point, quadrant: name(point) }));
}

function groupOfModels(points: readonly ModelPoint[], by: 'family' | 'size', group: string): GroupOfModels {
  const own = points.filter((point) => groupOf(point, by) === group);
  const aucEs = own.map(({ aucE }) => aucE);
  const excesses = own.flatMap(({ excess }) => excess ?? []);
  return {
    by,
    group,
    n: own.length,
    passAt1: mean(own.map(({ passAt1 }) => passAt1)) ?? Number.NaN,
    aucE: mean(aucEs) ?? Number.NaN,
    least: Math.min(...aucEs),
    greatest: Math.max(...aucEs),
    excess: excesses.length === own.length ? mean(excesses) : null,
    ...intervalsOverTasks(own),
  };
}

const greatest = aucE([1, 1, 1]);

/** Intervals of means over models, each of which is a mean over its tasks. */
export function intervalsOverTasks(models: readonly ModelPoint[]): Pick<GroupOfModels, 'intervals' | 'nTasks'> {
  const names = [...new Set(models.flatMap(({ tasks }) => [...tasks.keys()]))];
  const interval = (of: (point: TaskPoint) => number | null, bounds: Interval): Interval | null =>
    averageInterval(
      names.map((task) =>
        models.map(({ tasks }) => {
          const point = tasks.get(task);
          return point === undefined ? null : of(point);
        }),
      ),
      bounds,
    );
  return {
    intervals: {
      passAt1: interval(({ passAt1 }) => passAt1, { lo: 0, hi: 1 }),
      aucE: interval(({ aucE: area }) => area, { lo: 0, hi: greatest }),
      excess: interval(({ excess }) => excess, { lo: -greatest, hi: greatest }),
    },
    nTasks: names.length,
  };
}
