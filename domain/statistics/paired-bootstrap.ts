/** Two versions compared on the same tasks: whole tasks are drawn, each with its cells of both versions. */
import { clusterBootstrap, defaultResamples } from './bootstrap.ts';
import { defaultLevel, type Interval } from './interval.ts';
import { greatest, rounding } from './rounding.ts';
import { standardDeviation } from './spread.ts';

export interface PairedBootstrap {
  /** Of all tasks; null where it is undefined. */
  readonly difference: number | null;
  /** Percentile interval of the difference. */
  readonly interval: Interval | null;
  /**
   * Two-sided, never 0: (1 + resamples beyond 0 on the rarer side) / (1 + resamples), doubled. Never below 2^(1 - n) either, which is all
   * that n tasks can say by their signs: the bootstrap alone would call one task significant.
   */
  readonly p: number | null;
  /** Standard deviation of the resampled differences. */
  readonly standardError: number | null;
  /** Tasks. */
  readonly n: number;
}

export interface PairedBootstrapOptions {
  /** From `seedOf(...)`. */
  readonly seed: number;
  readonly resamples?: number;
  readonly level?: number;
}

/**
 * `difference` is a statistic of the new version minus that of the old one, over the drawn tasks; null where either is undefined. It must not
 * keep the array it is given.
 */
export function pairedBootstrap<Task>(
  tasks: readonly Task[],
  difference: (drawn: readonly Task[]) => number | null,
  { seed, resamples = defaultResamples, level = defaultLevel }: PairedBootstrapOptions,
): PairedBootstrap {
  const differences: number[] = [];
  const kept = (drawn: readonly Task[]): number | null => {
    const value = difference(drawn);
    if (value !== null) differences.push(value);
    return value;
  };
  const { interval } = clusterBootstrap(tasks, kept, { seed, resamples, level });
  const standardError = standardDeviation(differences);
  return { difference: difference(tasks), interval, p: shiftP(differences, tasks.length), standardError, n: tasks.length };
}

function shiftP(differences: readonly number[], tasks: number): number | null {
  if (differences.length === 0) return null;
  // One of exactly 0 counts on both sides, also where rounding has moved it.
  const none = rounding * Math.max(1, greatest(differences));
  const below = differences.filter((value) => value <= none).length;
  const above = differences.filter((value) => value >= -none).length;
  return Math.min(1, Math.max(2 ** (1 - tasks), (2 * (1 + Math.min(below, above))) / (1 + differences.length)));
}
