/** Times of two versions as ratios, task by task: a mean of times is often one task's time. */
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import type { Interval } from '../statistics/interval.ts';
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

/** Null without a task that both versions have a time for. Example: tasks twice and half as slow give a ratio of 1. */
export function timeRatio(tasks: readonly TaskPair[], level: number): TimeRatio | null {
  const changes = logTimes(tasks).map(({ old, now }) => now - old);
  if (changes.length === 0) return null;
  const bounds = changeBounds({ kind: 'logTime' }, 1, changes);
  const { lo, hi } = boundedMeanInterval(changes, bounds, { level }) as Interval;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  return { ratio: Math.exp(mean), interval: { lo: Math.exp(lo), hi: Math.exp(hi) }, n: changes.length };
}
