/** RQ4: how much the emotions' distributions differ within one model. */
import { seedOf } from '../../../../domain/random.ts';
import { distanceInterval } from '../../../../domain/statistics/intervals/distance-interval.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { kolmogorovSmirnov } from '../../../../domain/statistics/tests/kolmogorov-smirnov.ts';
import type { TestResult } from '../../../../domain/statistics/tests/test-result.ts';
import { correctedPs } from '../questions/delta-effect.ts';

export interface EmotionDistance {
  readonly emotions: readonly [string, string];
  readonly test: TestResult;
  /** Interval of D, over tasks. */
  readonly interval: Interval | null;
  /** Number of tasks with a value for either emotion. */
  readonly tasks: number;
  /** Benjamini and Hochberg's, over all pairs of emotions of the model. */
  readonly corrected: number | null;
}

/** The values of each task. */
export type TaskValues = ReadonlyMap<string, readonly number[]>;

/** Kolmogorov and Smirnov's D of each pair of emotions. @param values by emotion */
export function emotionDistances(values: ReadonlyMap<string, TaskValues>): EmotionDistance[] {
  const names = [...values.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const));
  const of = (emotion: string): TaskValues => values.get(emotion) ?? new Map();
  const all = new Map(names.map((emotion) => [emotion, [...of(emotion).values()].flat()]));
  const tests = pairs.map(([first, second]) => kolmogorovSmirnov(all.get(first) ?? [], all.get(second) ?? []));
  const corrected = correctedPs(tests);
  return pairs.map((emotions, index) => {
    const test = tests[index] as TestResult;
    const clusters = tasksOf(of(emotions[0]), of(emotions[1]));
    return {
      emotions,
      test,
      interval:
        test.statistic === null
          ? null
          : distanceInterval(clusters, test.statistic, { seed: seedOf('distance', ...emotions) }),
      tasks: clusters.length,
      corrected: corrected[index] ?? null,
    };
  });
}

const tasksOf = (first: TaskValues, second: TaskValues) =>
  [...new Set([...first.keys(), ...second.keys()])].map((task) => ({
    first: first.get(task) ?? [],
    second: second.get(task) ?? [],
  }));
