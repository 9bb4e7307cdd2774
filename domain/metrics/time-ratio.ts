/** Times of two versions as ratios, task by task: a mean of times is often one task's time. */
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import type { Interval } from '../statistics/interval.ts';
import { isConstant } from '../statistics/rounding.ts';
import { signFlipTest } from '../statistics/sign-flip.ts';
import { smallestEffect } from '../statistics/smallest-effect.ts';
import { mean, standardDeviation } from '../statistics/spread.ts';
import type { VersionDifference } from '../statistics/version-verdict.ts';
import type { TaskPair } from './phrasing-values.ts';
import { logTimes } from './task-contributions.ts';
import { changeBounds } from './task-range.ts';

export interface TimeRatio {
  /** Geometric mean over the tasks of new / old; below 1 the new version is faster. */
  readonly ratio: number;
  readonly interval: Interval;
  /** Tasks with a time above 0 in both versions. */
  readonly n: number;
}

export interface TimeComparison {
  readonly ratio: TimeRatio;
  /** Of the sign-flip test of the logarithms. */
  readonly p: number;
  /** Smallest difference that could have been seen, of a typical task in ms; null for fewer than two tasks, and where all ratios are equal. */
  readonly smallestEffect: number | null;
  /** Of the logarithms: what the verdict is about. */
  readonly logs: Omit<VersionDifference, 'p'>;
  /** A margin in ms as a logarithm: what so much is to a typical task. */
  readonly logMargin: (ms: number) => number;
}

export interface TimeComparisonOptions {
  readonly level: number;
  readonly seed: number;
  readonly draws: number;
  /** What p is compared with at the family's hardest step. */
  readonly hardest: number;
}

/**
 * Null without a task that both versions have a time for. A typical task takes the geometric mean of the tasks' old times. Example: tasks
 * twice and half as slow give a ratio of 1.
 */
export function compareTimes(tasks: readonly TaskPair[], { level, seed, draws, hardest }: TimeComparisonOptions): TimeComparison | null {
  const times = logTimes(tasks);
  const changes = times.map(({ old, now }) => now - old);
  const [change, typicalLog] = [mean(changes), mean(times.map(({ old }) => old))];
  if (change === null || typicalLog === null) return null;
  const typical = Math.exp(typicalLog);
  const interval = boundedMeanInterval(changes, changeBounds({ kind: 'logTime' }, 1, changes), { level }) as Interval;
  const spread = standardDeviation(changes);
  return {
    ratio: { ratio: Math.exp(change), interval: { lo: Math.exp(interval.lo), hi: Math.exp(interval.hi) }, n: changes.length },
    p: signFlipTest(changes, { seed, draws }).p as number,
    smallestEffect:
      spread === null || isConstant(changes) ? null : typical * Math.expm1(smallestEffect(spread / Math.sqrt(changes.length), hardest)),
    logs: { difference: change, interval },
    logMargin: (ms) => Math.log1p(ms / typical),
  };
}
