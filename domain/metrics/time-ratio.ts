/** Compares times of two versions as ratios, task by task, because one slow task can dominate a mean of times. */
import { boundedMeanInterval } from '../statistics/intervals/bounded-mean.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { signFlipEffects } from '../statistics/power/sign-flip-effect.ts';
import { signFlipTest } from '../statistics/tests/sign-flip.ts';
import { mean } from '../statistics/spread.ts';
import type { VersionDifference } from '../statistics/tests/version-verdict.ts';
import type { TaskPair } from './phrasing-values.ts';
import { logTimes } from './task-contributions.ts';
import { changeBounds } from './task-range.ts';

export interface TimeRatio {
  /** Geometric mean over tasks of new / old; below 1 the new version is faster. */
  readonly ratio: number;
  readonly interval: Interval;
  /** Tasks with a time above 0 in both versions. */
  readonly n: number;
}

export interface TimeComparison {
  readonly ratio: TimeRatio;
  /** Of the sign-flip test of the logarithms. */
  readonly p: number;
  /**
   * Smallest detectable difference of a typical task, ms; null if no signs of so few tasks reach `hardest`, or if all
   * ratios are equal.
   */
  readonly smallestEffect: number | null;
  /** Difference of the logarithms, on which the verdict is based. */
  readonly logs: Omit<VersionDifference, 'p'>;
  /** A margin in ms as a logarithm, relative to a typical task. */
  readonly logMargin: (ms: number) => number;
}

export interface TimeComparisonOptions {
  readonly level: number;
  readonly seed: number;
  readonly draws: number;
  /** The threshold of p at the strictest step of the family. */
  readonly hardest: number;
}

/**
 * Null if no task has a time in both versions. The time of a typical task is the geometric mean of the tasks' old
 * times. Example: one task twice as slow and one half as slow give a ratio of 1.
 */
export function compareTimes(
  tasks: readonly TaskPair[],
  { level, seed, draws, hardest }: TimeComparisonOptions,
): TimeComparison | null {
  const times = logTimes(tasks);
  const changes = times.map(({ old, now }) => now - old);
  const [change, typicalLog] = [mean(changes), mean(times.map(({ old }) => old))];
  if (change === null || typicalLog === null) return null;
  const typical = Math.exp(typicalLog);
  const interval = boundedMeanInterval(changes, changeBounds({ kind: 'logTime' }, 1, changes), { level }) as Interval;
  const smallest = signFlipEffects(hardest)(changes);
  return {
    ratio: {
      ratio: Math.exp(change),
      interval: { lo: Math.exp(interval.lo), hi: Math.exp(interval.hi) },
      n: changes.length,
    },
    p: signFlipTest(changes, { seed, draws }).p as number,
    smallestEffect: smallest === null ? null : typical * Math.expm1(smallest),
    logs: { difference: change, interval },
    logMargin: (ms) => Math.log1p(ms / typical),
  };
}
