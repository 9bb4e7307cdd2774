/** Intervals of the models' ranks, from tests of which model is ahead of which on the same tasks. */
import { defaultLevel, type Interval } from './interval.ts';
import { mean } from '../spread.ts';
import { pairedTTest } from '../tests/paired-t.ts';

/** Name of the method in tables and reports. */
export const placeMethod = "paired Student's t between any two models, Bonferroni";

/**
 * One interval of ranks per model, 1 is best. It excludes as many top ranks as models are significantly ahead of it,
 * and as many bottom ranks as models it is significantly ahead of. Significance is by paired t intervals over tasks,
 * and of differences that are the same on every task by swaps of the two models, at a level such that all comparisons
 * of one model hold together (Bonferroni). So the interval contains the true rank, and each rank that ties may take, at
 * the requested level.
 * @param tasks each task's scores of all models, in the same order; more is better
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

/** 1 if the mean is significantly above 0, -1 if below, else 0. */
function surely(differences: readonly number[], level: number): -1 | 0 | 1 {
  const found = pairedTTest(differences, level);
  if (found !== null) return found.interval.lo > 0 ? 1 : found.interval.hi < 0 ? -1 : 0;
  // The same difference on every task, or on a single one: of all ways to swap the two models, two are as extreme.
  const isSure = 2 ** (1 - differences.length) <= 1 - level;
  return isSure ? (Math.sign(mean(differences) ?? 0) as -1 | 0 | 1) : 0;
}
