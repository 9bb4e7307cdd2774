/** RQ2: |delta pass| between groups of models. */
import { seedOf } from '../../random.ts';
import { benjaminiHochberg } from '../../statistics/benjamini-hochberg.ts';
import { cliffsDelta } from '../../statistics/cliffs-delta.ts';
import type { Interval } from '../../statistics/interval.ts';
import { epsilonSquared, kruskalWallis } from '../../statistics/kruskal-wallis.ts';
import { mannWhitney } from '../../statistics/mann-whitney.ts';
import { rankEffects } from '../../statistics/rank-effects.ts';
import { rounding } from '../../statistics/rounding.ts';
import { scheirerRayHare } from '../../statistics/scheirer-ray-hare.ts';
import { mean, sampleVariance } from '../../statistics/spread.ts';
import type { TestResult } from '../../statistics/test-result.ts';
import { groupOf, groupsOf, type ModelFacts } from './groups.ts';

/** Pass rate of variants minus that of the original, signed. */
export interface Delta extends ModelFacts {
  /** What is drawn together in resamples: a task, or the model where a delta is over all tasks. */
  readonly cluster: string;
  readonly distance: number;
  readonly delta: number;
}

export interface DeltaSpread {
  /** Null over all models. */
  readonly group: string | null;
  /** Null over all distances. */
  readonly distance: number | null;
  readonly n: number;
  readonly meanAbsolute: number;
  /** Sample variance of |delta|; null for one value. */
  readonly variance: number | null;
  readonly shareNegative: number;
}

export interface GroupPair {
  readonly groups: readonly [string, string];
  readonly test: TestResult;
  /** Benjamini and Hochberg's, over the pairs with a p. */
  readonly corrected: number | null;
  readonly cliffsDelta: number | null;
  readonly interval: Interval | null;
}

export interface GroupEffect {
  readonly by: 'size' | 'family';
  /** By group over all distances, then by group and distance. */
  readonly spreads: readonly DeltaSpread[];
  readonly kruskalWallis: TestResult;
  readonly epsilonSquared: number | null;
  readonly interval: Interval | null;
  readonly pairs: readonly GroupPair[];
}

/** Null where no model's group is known. */
export function groupEffect(deltas: readonly Delta[], by: 'size' | 'family'): GroupEffect | null {
  const names = groupsOf(deltas, by);
  if (names.length === 0) return null;
  const groups = names.map((name) => deltas.filter((delta) => groupOf(delta, by) === name));
  const absolute = groups.map((own) => own.map(({ delta }) => Math.abs(delta)));
  const grouped = groups.flatMap((own, group) => own.map(({ cluster, delta }) => ({ group, cluster, value: Math.abs(delta) })));
  const effects = rankEffects(grouped, names.length, { seed: seedOf('rq2', by) });
  const h = kruskalWallis(absolute);
  return {
    by,
    spreads: [
      ...names.map((name, index) => spreadOf(name, null, groups[index] ?? [])),
      ...names.flatMap((name, index) => distanceSpreads(groups[index] ?? [], name)),
    ],
    kruskalWallis: h,
    epsilonSquared: h.statistic === null ? null : epsilonSquared(h.statistic, h.n),
    interval: h.statistic === null ? null : effects.epsilonSquared,
    pairs: pairsOf(names, absolute, effects.cliffsDelta),
  };
}

function pairsOf(
  names: readonly string[],
  absolute: readonly (readonly number[])[],
  intervals: readonly (readonly (Interval | null)[])[],
): GroupPair[] {
  const pairs = names.flatMap((_, first) => names.slice(first + 1).map((_name, offset) => [first, first + 1 + offset] as const));
  const tests = pairs.map(([a, b]) => mannWhitney(absolute[a] ?? [], absolute[b] ?? []));
  const corrected = correctedPs(tests);
  return pairs.map(([a, b], index) => ({
    groups: [names[a] ?? '', names[b] ?? ''],
    test: tests[index] as TestResult,
    corrected: corrected[index] ?? null,
    cliffsDelta: cliffsDelta(absolute[a] ?? [], absolute[b] ?? []),
    interval: intervals[a]?.[b] ?? null,
  }));
}

/** Benjamini and Hochberg's p of each test, over those that have one. */
export function correctedPs(tests: readonly TestResult[]): (number | null)[] {
  const known = tests.flatMap(({ p }, index) => (p === null ? [] : [{ p, index }]));
  const corrected = benjaminiHochberg(known.map(({ p }) => p));
  const byIndex = new Map(known.map(({ index }, place) => [index, corrected[place]]));
  return tests.map((_, index) => byIndex.get(index) ?? null);
}

/** One per distance, over all models or those of one group. */
export const distanceSpreads = (deltas: readonly Delta[], group: string | null): DeltaSpread[] =>
  [...new Set(deltas.map(({ distance }) => distance))]
    .toSorted((a, b) => a - b)
    .map((distance) =>
      spreadOf(
        group,
        distance,
        deltas.filter((one) => one.distance === distance),
      ),
    );

function spreadOf(group: string | null, distance: number | null, deltas: readonly Delta[]): DeltaSpread {
  const absolute = deltas.map(({ delta }) => Math.abs(delta));
  return {
    group,
    distance,
    n: deltas.length,
    meanAbsolute: mean(absolute) ?? Number.NaN,
    variance: sampleVariance(absolute),
    shareNegative: deltas.filter(({ delta }) => delta < -rounding).length / deltas.length,
  };
}

/** Whether the size matters differently from family to family: Scheirer, Ray and Hare over |delta| of models whose both are known. */
export const sizeFamilyInteraction = (deltas: readonly Delta[]): ReturnType<typeof scheirerRayHare> =>
  scheirerRayHare(
    deltas.flatMap((one) => {
      const [first, second] = [groupOf(one, 'size'), groupOf(one, 'family')];
      return first === null || second === null ? [] : [{ first, second, value: Math.abs(one.delta) }];
    }),
  );
