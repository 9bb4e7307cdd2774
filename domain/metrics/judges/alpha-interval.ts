import type { Interval } from '../../statistics/intervals/interval.ts';
import { correlationScale, jackknifeInterval } from '../../statistics/intervals/jackknife.ts';
import { krippendorffIntervalAlpha } from '../../statistics/krippendorff-interval-alpha.ts';

/** The scores of one break that are compared with each other. */
export interface ComparedScores {
  readonly taskId: string;
  readonly scores: readonly number[];
}

/**
 * The interval of Krippendorff's alpha over tasks: the jackknife on Fisher's scale, which always allows for unseen
 * tasks (without them, scores that agree by chance cover 82 % with five tasks). -1 to 1 for fewer than three tasks,
 * which say nothing about its spread.
 */
export function alphaInterval(breaks: readonly ComparedScores[], level?: number): Interval {
  const tasks = [...Map.groupBy(breaks, ({ taskId }) => taskId).values()];
  const alphaOf = (some: readonly (readonly ComparedScores[])[]): number | null =>
    krippendorffIntervalAlpha(some.flat().map(({ scores }) => scores));
  const options = { ...correlationScale, withUnseen: true, ...(level === undefined ? {} : { level }) };
  return jackknifeInterval(tasks, alphaOf, options) ?? correlationScale.bounds;
}
