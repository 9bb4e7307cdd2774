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
  /** Without the calls whose cost is estimated, which is the most that they can have cost. Default: there are none. */
  readonly leastCost?: number;
  /** Share of its judged programs that pass, 0 to 1; null if none could be judged. */
  readonly solved: number | null;
  /** The share with the programs that could not be judged failed, and passed. Default: all were judged. */
  readonly leastSolved?: number;
  readonly mostSolved?: number;
}

export interface CostPerSolved {
  /** Null if no task is solved. */
  readonly value: number | null;
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  readonly reason: string | null;
}

const shareMethod = `the share solved (${boundedMeanMethod})`;
/** The first of the earlier ones left tasks without a judged program out, also of what was spent. */
const ratio = `${ratioMethod} of the mean cost (Student's t) and ${shareMethod}`;
const allowing = `${ratio}, with all that unjudged answers and estimated costs allow`;
/** The second counted an answer that two studies use only for the study that asked first. */
export const earlierCostMethods: readonly [string, string] = [ratio, allowing];
export const costPerSolvedMethod = `${allowing}, over the calls of all answers that the study uses`;

/**
 * All that was spent, over the tasks solved. The interval's ends are those with the programs that could not be judged
 * passed and their estimated costs 0, and with these programs failed and the estimated costs in full.
 * @param level default 0.95
 */
export function costPerSolved(tasks: readonly TaskCost[], level = defaultLevel): CostPerSolved {
  if (tasks.every(({ solved }) => solved === null))
    return { value: null, interval: null, reason: 'no task has a program that counts' };
  const total = tasks.reduce((sum, { solved }) => sum + (solved ?? 0), 0);
  const costs = tasks.map(({ cost }) => cost);
  const shares = tasks.map(({ solved, leastSolved }) => leastSolved ?? solved ?? 0);
  const leastCosts = tasks.map(({ cost, leastCost }) => leastCost ?? cost);
  const mostShares = tasks.map(({ solved, mostSolved }) => mostSolved ?? solved ?? 1);
  const dearest = ratioOf(costs, shares, level);
  const isExact = tasks.every((_, task) => costs[task] === leastCosts[task] && shares[task] === mostShares[task]);
  const cheapest = isExact ? dearest : ratioOf(leastCosts, mostShares, level);
  const interval = dearest === null || cheapest === null ? null : { lo: cheapest.lo, hi: dearest.hi };
  if (total === 0) return { value: null, interval, reason: 'no task is solved' };
  return {
    value: costs.reduce((sum, cost) => sum + cost, 0) / total,
    interval,
    reason: interval === null ? 'a single task says nothing about the spread' : null,
  };
}

/** The interval of the mean cost of a task divided by the mean share solved. */
function ratioOf(costs: readonly number[], shares: readonly number[], level: number) {
  const [ofCost, ofShare] = [meanInterval(costs, level), boundedMeanInterval(shares, { lo: 0, hi: 1 }, { level })];
  if (ofCost === null || ofShare === null) return null;
  return ratioInterval(
    { value: mean(costs), interval: ofCost },
    { value: mean(shares), interval: ofShare },
    pearsonR(costs, shares) ?? 0,
  );
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
