/** The cost per solved task: the mean cost of a task divided by the share of tasks solved. */
import { boundedMeanInterval, boundedMeanMethod } from '../statistics/intervals/bounded-mean.ts';
import { assumedRange } from '../statistics/intervals/assumed-range.ts';
import { defaultLevel, type Interval } from '../statistics/intervals/interval.ts';
import { pearsonR } from '../statistics/ranks/pearson.ts';
import { ratioInterval, ratioMethod } from '../statistics/intervals/ratio-of-means.ts';

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

/** An unseen task is assumed to cost up to so many times the mean. */
const dearest = 10;

const ofShare = `the share solved (${boundedMeanMethod})`;
const rest = `, with all that unjudged answers and estimated costs allow`;
const allCalls = ', over the calls of all answers that the study uses';
/** The first of the earlier ones left tasks without a judged program out, also of what was spent. */
const byStudent = `${ratioMethod} of the mean cost (Student's t) and ${ofShare}`;
/**
 * The second counted an answer that two studies use only for the study that asked first. The third took the mean cost
 * of few tasks for normally distributed.
 */
export const earlierCostMethods: readonly [string, string, string] = [
  byStudent,
  `${byStudent}${rest}`,
  `${byStudent}${rest}${allCalls}`,
];
const byGaffke = `${ratioMethod} of the mean cost (${boundedMeanMethod}, assumed range) and ${ofShare}`;
export const costPerSolvedMethod = `${byGaffke}${rest}${allCalls}`;

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
  const most = ratioOf(costs, shares, level);
  const isExact = tasks.every((_, task) => costs[task] === leastCosts[task] && shares[task] === mostShares[task]);
  const least = isExact ? most : ratioOf(leastCosts, mostShares, level);
  const interval = most === null || least === null ? null : { lo: least.lo, hi: most.hi };
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
    // A positive correlation would narrow it, and two tasks always have one of 1 or -1.
    Math.min(0, pearsonR(costs, shares) ?? 0),
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Costs have no known upper bound, and Student's t takes the costs of a few tasks, none of which is a dear one, for all
 * that there is. So a task that was not seen is assumed to cost up to ten times the mean, as one in the gate may be ten
 * times as slow. Null for fewer than two values.
 */
function meanInterval(values: readonly number[], level: number): Interval | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  if (middle === 0) return { lo: 0, hi: 0 };
  return boundedMeanInterval(values, { lo: 0, hi: assumedRange(values, (dearest - 1) * middle).hi }, { level });
}
