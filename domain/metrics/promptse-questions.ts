/** The paper's research questions over models and tasks: pure functions of summary rows. */
import { seedOf } from '../random.ts';
import { agreement, type Agreement } from '../statistics/agreement.ts';
import { clusterBootstrap } from '../statistics/bootstrap.ts';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { cliffsDelta } from '../statistics/cliffs-delta.ts';
import { kendall } from '../statistics/kendall.ts';
import { epsilonSquared, kruskalWallis } from '../statistics/kruskal-wallis.ts';
import { mannWhitney } from '../statistics/mann-whitney.ts';
import { pearson } from '../statistics/pearson.ts';
import { spearman } from '../statistics/spearman.ts';
import type { Interval } from '../statistics/interval.ts';
import { quantile } from '../statistics/quantile.ts';
import type { TestResult } from '../statistics/test-result.ts';

/** A model at a glance. */
export interface ModelPoint {
  readonly model: string;
  readonly passAt1: number;
  readonly aucE: number;
}

export interface Structure {
  readonly spearman: TestResult;
  /** Bootstrap over models; null for fewer than four. */
  readonly interval: Interval | null;
  /** Models by median split: high and steady, high and touchy, low and steady, low and touchy. A value at the median is high, or steady. */
  readonly quadrants: readonly [number, number, number, number];
}

/** RQ1: performance against stability. */
export function structureOf(points: readonly ModelPoint[]): Structure {
  const rho = (drawn: readonly ModelPoint[]): TestResult =>
    spearman(
      drawn.map(({ passAt1 }) => passAt1),
      drawn.map(({ aucE }) => aucE),
    );
  const spread =
    points.length < 4 ? null : clusterBootstrap(points, (drawn) => rho(drawn).statistic, { seed: seedOf('rq1', points.length) });
  return { spearman: rho(points), interval: spread?.interval ?? null, quadrants: quadrantsOf(points) };
}

function quadrantsOf(points: readonly ModelPoint[]): Structure['quadrants'] {
  if (points.length === 0) return [0, 0, 0, 0];
  const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
  const [pass, steady] = [median(points.map(({ passAt1 }) => passAt1)), median(points.map(({ aucE }) => aucE))];
  const count = (high: boolean, calm: boolean): number =>
    points.filter((point) => point.passAt1 >= pass === high && point.aucE >= steady === calm).length;
  return [count(true, true), count(true, false), count(false, true), count(false, false)];
}

export const sizeGroups = ['tiny', 'small', 'medium', 'large'] as const;
export type SizeGroup = (typeof sizeGroups)[number];

/** tiny < 3, small < 10, medium < 20 billion parameters, large from there. */
export const sizeGroupOf = (sizeB: number): SizeGroup => (sizeB < 3 ? 'tiny' : sizeB < 10 ? 'small' : sizeB < 20 ? 'medium' : 'large');

export interface GroupSpread {
  readonly group: SizeGroup;
  readonly n: number;
  readonly meanAbsolute: number;
  /** Sample variance of |delta|; null for one value. */
  readonly variance: number | null;
  readonly shareNegative: number;
}

export interface PairTest {
  readonly groups: readonly [SizeGroup, SizeGroup];
  readonly test: TestResult;
  /** Benjamini and Hochberg's, over the pairs with a p. */
  readonly corrected: number | null;
  readonly cliffsDelta: number | null;
}

export interface SizeEffect {
  readonly spreads: readonly GroupSpread[];
  readonly kruskalWallis: TestResult;
  readonly epsilonSquared: number | null;
  readonly pairs: readonly PairTest[];
}

/** RQ2: |delta pass| of every model, task and distance, by size group. */
export function sizeEffect(deltas: readonly { readonly sizeB: number; readonly delta: number }[]): SizeEffect {
  const byGroup = Map.groupBy(deltas, ({ sizeB }) => sizeGroupOf(sizeB));
  const groups = sizeGroups.flatMap((group) => {
    const own = byGroup.get(group)?.map(({ delta }) => delta);
    return own === undefined ? [] : [{ group, deltas: own, absolute: own.map(Math.abs) }];
  });
  const h = kruskalWallis(groups.map(({ absolute }) => absolute));
  const pairs = groups.flatMap((first, index) => groups.slice(index + 1).map((second) => [first, second] as const));
  const tests = pairs.map(([first, second]) => mannWhitney(first.absolute, second.absolute));
  const known = tests.flatMap(({ p }, index) => (p === null ? [] : [{ p, index }]));
  const corrected = benjaminiHochberg(known.map(({ p }) => p));
  return {
    spreads: groups.map(({ group, deltas: own, absolute }) => spreadOf(group, own, absolute)),
    kruskalWallis: h,
    epsilonSquared: h.statistic === null ? null : epsilonSquared(h.statistic, h.n),
    pairs: pairs.map(([first, second], index) => ({
      groups: [first.group, second.group],
      test: tests[index] as TestResult,
      corrected: corrected[known.findIndex((one) => one.index === index)] ?? null,
      cliffsDelta: cliffsDelta(first.absolute, second.absolute),
    })),
  };
}

function spreadOf(group: SizeGroup, deltas: readonly number[], absolute: readonly number[]): GroupSpread {
  const n = absolute.length;
  const mean = absolute.reduce((sum, value) => sum + value, 0) / n;
  const squares = absolute.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    group,
    n,
    meanAbsolute: mean,
    variance: n < 2 ? null : squares / (n - 1),
    shareNegative: deltas.filter((delta) => delta < 0).length / n,
  };
}

export interface Closeness {
  readonly pearson: TestResult;
  readonly spearman: TestResult;
  readonly kendall: TestResult;
  /** Errors of the light value as a prediction of the full one; null without pairs. */
  readonly errors: Agreement | null;
}

/** RQ3: how near PromptSELight comes to PromptSE, over models or over tasks. */
export function closeness(pairs: readonly { readonly light: number; readonly full: number }[]): Closeness {
  const [light, full] = [pairs.map((pair) => pair.light), pairs.map((pair) => pair.full)];
  return {
    pearson: pearson(light, full),
    spearman: spearman(light, full),
    kendall: kendall(light, full),
    errors: agreement(light, full),
  };
}
