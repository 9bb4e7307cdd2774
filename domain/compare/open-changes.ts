/**
 * The difference of two models of which some answers could not be judged: estimated on what was judged of both, as a
 * gate does, with an interval that has all that the other answers allow too.
 */
import type { Extremes } from '../metrics/sides/extremes.ts';
import { judgedValues } from '../metrics/sides/filled.ts';
import type { Quotients } from '../metrics/sides/side-values.ts';
import { changeBounds, type TaskRange } from '../metrics/task-range.ts';
import { boundedMeanInterval } from '../statistics/intervals/bounded-mean.ts';
import { hullOf, type Interval } from '../statistics/intervals/interval.ts';
import { difference } from '../statistics/rounding.ts';
import { mean } from '../statistics/spread.ts';
import { type ChangeExtremes, changeExtremes } from './held-back.ts';
import type { PairChanges } from './pair-changes.ts';

/** By model, then by task; null where no answer was judged. */
export interface JudgedValues {
  readonly own: readonly (readonly (number | null)[])[];
  /** Each task's values by prompt, all in the same order. Default: one prompt a task. */
  readonly byPrompt?: readonly (readonly (readonly (number | null)[])[])[];
  /** What they are made of, if they are of a quotient of sums. */
  readonly quotients?: Quotients;
}

export interface OpenChanges extends ChangeExtremes {
  /** First minus second, of the tasks with a prompt that was judged on both sides. */
  readonly judged: readonly number[];
}

/** @returns of any pair of models; null if all answers of both were judged */
export function openChanges(
  extremes: Extremes | null,
  { own, byPrompt }: JudgedValues,
): (pair: PairChanges) => OpenChanges | null {
  const openOf = changeExtremes(extremes);
  return (pair) => {
    const open = openOf(pair);
    if (open === null) return null;
    const means = meansOnBoth({ own, ...(byPrompt && { byPrompt }) }, [pair.first, pair.second]);
    return { ...open, judged: means.flatMap((both) => (both === null ? [] : [difference(...both)])) };
  };
}

/** Each task's means of two models over the prompts of which answers of both were judged; null without one. */
export function meansOnBoth(
  { own, byPrompt }: JudgedValues,
  [first, second]: readonly [number, number],
): (readonly [number, number] | null)[] {
  const promptsOf = (model: number) => byPrompt?.[model] ?? own[model]?.map((value) => [value]) ?? [];
  const others = promptsOf(second);
  return promptsOf(first).map((values, task) => {
    const isOnBoth = values.map((value, place) => value !== null && (others[task]?.[place] ?? null) !== null);
    if (!isOnBoth.includes(true)) return null;
    const meanOf = (some: readonly (number | null)[]): number =>
      mean(judgedValues(some.filter((_, place) => isOnBoth[place]))) as number;
    return [meanOf(values), meanOf(others[task] ?? [])];
  });
}

/** On the tasks that were judged on both sides; that of the means of the two models if there is none. */
export const changeEstimate = (changes: readonly number[], open: OpenChanges | null): number =>
  mean(open === null || open.judged.length === 0 ? changes : open.judged) as number;

/**
 * With answers that could not be judged: from the lower end of the least changes to the upper end of the most, and at
 * least that of the tasks that were judged on both sides.
 */
export function changeInterval(
  changes: readonly number[],
  open: OpenChanges | null,
  range: TaskRange,
  level: number,
): Interval {
  const intervalOf = (some: readonly number[]): Interval =>
    boundedMeanInterval(some, changeBounds(range, 1, some), { level }) as Interval;
  if (open === null) return intervalOf(changes);
  const allowed = { lo: intervalOf(open.least).lo, hi: intervalOf(open.most).hi };
  return open.judged.length === 0 ? allowed : hullOf(allowed, intervalOf(open.judged));
}
