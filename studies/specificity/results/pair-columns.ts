/** Two scores of each task, and their difference. */
import type { Row } from '../../../schemas/tables.ts';
import { differenceBounds, meanColumns, shareBounds } from '../../../domain/metrics/score-intervals.ts';

/** The second score minus the first, for each pair. */
export const differencesOf = (pairs: readonly (readonly [number, number])[]): number[] =>
  pairs.map(([first, second]) => second - first);

/** @param names of the first scores, of the second, and of second - first: means over the tasks with their intervals */
export const pairColumns = (
  [first, second, difference]: readonly [string, string, string],
  pairs: readonly (readonly [number, number])[],
): Row => ({
  ...meanColumns(
    first,
    pairs.map(([score]) => score),
    shareBounds,
  ),
  ...meanColumns(
    second,
    pairs.map(([, score]) => score),
    shareBounds,
  ),
  ...meanColumns(difference, differencesOf(pairs), differenceBounds),
});
