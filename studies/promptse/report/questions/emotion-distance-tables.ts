/** RQ4: how much the distributions under two emotions differ. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import { count, probability, withRange } from '../../../../analysis/report/cells.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import type { EmotionDistance } from '../../results/affect/emotion-distances.ts';
import { distanceMethod } from '../../../../domain/statistics/intervals/distance-interval.ts';

export const emotionDistanceTables = (affect: readonly ModelAffect[]): DataTable[] => [
  distancesTable(
    'Differences of confidence between emotions',
    'samples’ confidences',
    affect.map(({ model, confidenceDistances }) => ({ model, distances: confidenceDistances })),
  ),
  distancesTable(
    'Differences of Δ pass between emotions',
    'prompts’ Δ pass',
    affect.map(({ model, deltaDistances }) => ({ model, distances: deltaDistances })),
  ),
];

interface ModelDistances {
  readonly model: string;
  readonly distances: readonly EmotionDistance[];
}

const distancesTable = (title: string, what: string, models: readonly ModelDistances[]): DataTable => ({
  title,
  note:
    `Kolmogorov and Smirnov’s D of ${what}, with a 95 % interval (${distanceMethod}); ` +
    'p corrected after Benjamini and Hochberg within a model. Values of one task are not independent, ' +
    'so p is too small: rely on D and its interval.',
  words: 3,
  heads: ['Model', 'Emotion', 'Other emotion', 'n', 'Tasks', 'D', 'p, corrected'],
  rows: models.flatMap(({ model, distances }) =>
    distances.map(({ emotions, test, tasks, interval, corrected }) => [
      ...[model, ...emotions],
      ...[count(test.n), count(tasks), withRange(test.statistic, interval), probability(corrected)],
    ]),
  ),
  folded: true,
});
