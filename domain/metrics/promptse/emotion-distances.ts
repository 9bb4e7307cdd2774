/** RQ4: how far the emotions' distributions lie apart within one model. */
import { kolmogorovSmirnov } from '../../statistics/kolmogorov-smirnov.ts';
import type { TestResult } from '../../statistics/test-result.ts';
import { correctedPs } from './delta-effect.ts';

export interface EmotionDistance {
  readonly emotions: readonly [string, string];
  readonly test: TestResult;
  /** Benjamini and Hochberg's, over all pairs of emotions of the model. */
  readonly corrected: number | null;
}

/** Kolmogorov and Smirnov's D of each pair of emotions; by emotion its values. */
export function emotionDistances(values: ReadonlyMap<string, readonly number[]>): EmotionDistance[] {
  const names = [...values.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const));
  const tests = pairs.map(([first, second]) => kolmogorovSmirnov(values.get(first) ?? [], values.get(second) ?? []));
  const corrected = correctedPs(tests);
  return pairs.map((emotions, index) => ({ emotions, test: tests[index] as TestResult, corrected: corrected[index] ?? null }));
}
