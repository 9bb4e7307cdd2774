/** The cost per solved task: the mean cost of a task divided by the share of tasks solved. */
import { boundedMeanInterval, boundedMeanMethod } from '../statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval, tailOf } from '../statistics/intervals/interval.ts';
import { pearsonR } from '../statistics/ranks/pearson.ts';
import { ratioInterval, ratioMethod } from '../statistics/intervals/ratio-of-means.ts';
import { studentQuantile } from '../statistics/student.ts';

/** One task under one model. */
export interface TaskCost {
  /** Cost of all calls made for it, in USD, or their time. */
  readonly cost: number;
  /** Share of its counted programs that pass, 0 to 1. */
  readonly solved: number;
}

export interface CostPerSolved {
  /** Null if no task is solved. */
  readonly value: number | null;
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  readonly reason: string | null;
}

const shareMethod = `the share solved (${boundedMeanMethod})`;
export const costPerSolvedMethod = `${ratioMethod} of the mean cost (Student's t) and ${shareMethod}`;

/** @param level default 0.95 */
export function costPerSolved(tasks: readonly TaskCost[], level = defaultLevel): CostPerSolved {
  const costs = tasks.map(({ cost }) => cost);
  const shares = tasks.map(({ solved }) => solved);
  if (tasks.length === 0) return { value: null, interval: null, reason: 'no task has a program that counts' };
  const [cost, share] = [mean(costs), mean(shares)];
  const [ofCost, ofShare] = [meanInterval(costs, level), boundedMeanInterval(shares, { lo: 0, hi: 1 }, { level })];
  const interval =
    ofCost === null || ofShare === null
      ? null
      : ratioInterval(
          { value: cost, interval: ofCost },
          { value: share, interval: ofShare },
          pearsonR(costs, shares) ?? 0,
        );
  if (share === 0) return { value: null, interval, reason: 'no task is solved' };
  return {
    value: cost / share,
    interval,
    reason: interval === null ? 'a single task says nothing about the spread' : null,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Student's t interval, cut off at 0; null for fewer than two values. */
function meanInterval(values: readonly number[], level: number): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (n - 1);
  const half = studentQuantile(1 - tailOf(level), n - 1) * Math.sqrt(variance / n);
  return { lo: Math.max(0, middle - half), hi: middle + half };
}
