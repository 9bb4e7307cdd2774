/** RQ1: performance against stability, over models. */
import { seedOf } from '../../random.ts';
import { clusterBootstrap } from '../../statistics/bootstrap.ts';
import type { Interval } from '../../statistics/interval.ts';
import { quantile } from '../../statistics/quantile.ts';
import { spearman, spearmanRho } from '../../statistics/spearman.ts';
import { mean } from '../../statistics/spread.ts';
import type { TestResult } from '../../statistics/test-result.ts';
import { groupOf, groupsOf, type ModelFacts } from './groups.ts';

/** A model at a glance. */
export interface ModelPoint extends ModelFacts {
  readonly passAt1: number;
  readonly aucE: number;
  /** AUC-E over its floor; null where the original was drawn once. */
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
  /** Null where a model has none. */
  readonly excess: number | null;
}

export interface Structure {
  readonly spearman: TestResult;
  /** Bootstrap over models; null for fewer than four. */
  readonly interval: Interval | null;
  /** Of pass@1 and the excess of AUC-E, over the models that have one. */
  readonly excessSpearman: TestResult;
  /** Models by median split, in the order of `quadrantNames`. A value at the median is high, or steady. */
  readonly quadrants: readonly [number, number, number, number];
  readonly models: readonly (ModelPoint & { readonly quadrant: Quadrant })[];
  readonly groups: readonly GroupOfModels[];
}

export function structureOf(points: readonly ModelPoint[]): Structure {
  const rho = (drawn: readonly ModelPoint[]): TestResult =>
    spearman(
      drawn.map(({ passAt1 }) => passAt1),
      drawn.map(({ aucE }) => aucE),
    );
  const rhoAlone = (drawn: readonly ModelPoint[]): number | null =>
    spearmanRho(
      drawn.map(({ passAt1 }) => passAt1),
      drawn.map(({ aucE }) => aucE),
    );
  const spread = points.length < 4 ? null : clusterBootstrap(points, rhoAlone, { seed: seedOf('rq1', points.length) });
  const withExcess = points.flatMap((point) => (point.excess === null ? [] : [{ ...point, aucE: point.excess }]));
  const models = withQuadrants(points);
  const count = (name: Quadrant): number => models.filter(({ quadrant }) => quadrant === name).length;
  return {
    spearman: rho(points),
    interval: spread?.interval ?? null,
    excessSpearman: rho(withExcess),
    quadrants: [count('high, steady'), count('high, touchy'), count('low, steady'), count('low, touchy')],
    models,
    groups: (['family', 'size'] as const).flatMap((by) => groupsOf(points, by).map((group) => groupOfModels(points, by, group))),
  };
}

function withQuadrants(points: readonly ModelPoint[]): Structure['models'] {
  if (points.length === 0) return [];
  const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
  const [pass, steady] = [median(points.map(({ passAt1 }) => passAt1)), median(points.map(({ aucE }) => aucE))];
  const name = ({ passAt1, aucE }: ModelPoint): Quadrant => `${passAt1 >= pass ? 'high' : 'low'}, ${aucE >= steady ? 'steady' : 'touchy'}`;
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
  };
}
