/** Which places models may really have, from how surely each is ahead of each other on the same tasks. */
import { defaultLevel, type Interval } from './interval.ts';
import { pairedTTest } from './paired-t.ts';

/** The method's name, as tables and reports show it. */
export const placeMethod = "paired Student's t between any two models, Bonferroni";

/**
 * One interval per model, 1 is best: as many places down as models are surely ahead of it, as many up as it is surely ahead of. Sure is what a paired t
 * interval over tasks says at so high a level that all comparisons of one model hold together (Bonferroni). So the interval holds the true place, and
 * each place that ties may take, at the level that was asked for.
 * @param tasks each task's scores of all models, in one order; more is better
 */
export function placeIntervals(tasks: readonly (readonly number[])[], level = defaultLevel): Interval[] {
  const models = tasks[0]?.length ?? 0;
  const pairLevel = 1 - (1 - level) / Math.max(1, models - 1);
  const [ahead, behind] = [new Array<number>(models).fill(0), new Array<number>(models).fill(0)];
  for (let a = 0; a < models; a += 1)
    for (let b = 0; b < a; b += 1) {
      const sign = surely(
        tasks.map((scores) => (scores[a] as number) - (scores[b] as number)),
        pairLevel,
      );
      if (sign === 0) continue;
      const [first, last] = sign > 0 ? [a, b] : [b, a];
      behind[first] = (behind[first] as number) + 1;
      ahead[last] = (ahead[last] as number) + 1;
    }
  return ahead.map((others, model) => ({ lo: 1 + others, hi: models - (behind[model] as number) }));
}

/** 1 where the mean is surely above 0, -1 where below, else 0. */
function surely(differences: readonly number[], level: number): -1 | 0 | 1 {
  const found = pairedTTest(differences, level);
  return found === null ? 0 : found.interval.lo > 0 ? 1 : found.interval.hi < 0 ? -1 : 0;
}
