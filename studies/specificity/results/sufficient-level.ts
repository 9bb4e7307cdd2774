/**
 * PartialOrderEval: the level with least detail whose pass@1 reaches a bar, with an interval between two levels.
 */
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, tailOf } from '../../../domain/statistics/intervals/interval.ts';

/**
 * Each task's score at a level minus its score at the bar. `isBar`: the level is itself the bar, so all gaps are 0 by
 * definition.
 */
export interface LevelGaps {
  readonly gaps: readonly number[];
  readonly isBar: boolean;
}

/** Indices of levels, from the one with least detail; the number of levels means none of them. */
export interface SufficientLevel {
  readonly level: number;
  readonly lo: number;
  readonly hi: number;
}

/** Tolerance: sums of the same scores in different order may differ in their last digits. */
const slack = 1e-9;

/**
 * The first level whose mean gap is at least -within. The interval's lower end is the first level that the data do not
 * show to be below the bar (upper bound of its gap, one-sided at 97.5 %). Its upper end is the first level that they
 * show to reach the bar (lower bound, with 2.5 % divided among all levels, since any of them could wrongly appear
 * sufficient). So the interval contains the true level in at least 95 % of cases. Null without tasks.
 */
export function sufficientLevel(
  levels: readonly LevelGaps[],
  within: number,
  level = defaultLevel,
): SufficientLevel | null {
  if (levels.length === 0 || levels.some(({ gaps }) => gaps.length === 0)) return null;
  const tested = levels.filter(({ isBar }) => !isBar).length;
  const shared = 1 - (2 * tailOf(level)) / Math.max(1, tested);
  const bounds = { lo: -1, hi: 1 };
  const first = (reaches: (gaps: readonly number[]) => boolean): number => {
    const place = levels.findIndex(({ gaps, isBar }) => isBar || reaches(gaps));
    return place === -1 ? levels.length : place;
  };
  const least = -within - slack;
  return {
    level: first((gaps) => gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length >= least),
    lo: first((gaps) => (boundedMeanInterval(gaps, bounds, { level })?.hi ?? -1) >= least),
    hi: first((gaps) => (boundedMeanInterval(gaps, bounds, { level: shared })?.lo ?? -1) >= least),
  };
}

/**
 * Whether a model is shown to pass more than `within` at the bar (lower bound, one-sided at 97.5 %). If not, a level
 * from which it passes nothing would reach the bar too: that the least detail suffices then says nothing of the model.
 */
export const canFall = (bar: readonly number[], within: number): boolean =>
  (boundedMeanInterval(bar, { lo: 0, hi: 1 })?.lo ?? 0) > within;

/** Of a model of which `canFall` is false, for the maximal prompt. */
export function cannotFallText(within: number): string {
  const percent = Number((100 * within).toPrecision(3));
  return `is not shown to pass more than ${percent} % of the tasks with the maximal prompt, so any level would suffice`;
}
