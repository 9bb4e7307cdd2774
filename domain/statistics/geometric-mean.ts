import { defaultLevel, type Interval } from './intervals/interval.ts';
import { pairedTTest } from './tests/paired-t.ts';
import { mean } from './spread.ts';

/** Name of the method in tables and reports. */
export const geometricMethod = "Student's t of the tasks' logarithms";

/**
 * The geometric mean of positive ratios in clusters (tasks): each cluster counts once, with the mean of its logarithms,
 * and the interval is Student's t of these means. Null without clusters; the interval is null for fewer than two
 * clusters, or if all are equal. Example: 1/2 and 2 have the mean 1.
 */
export function geometricMean(
  clusters: readonly (readonly number[])[],
  level = defaultLevel,
): { readonly value: number; readonly interval: Interval | null } | null {
  const logs = clusters.map((ratios) => mean(ratios.map(Math.log)) as number);
  const middle = mean(logs);
  if (middle === null) return null;
  const found = pairedTTest(logs, level);
  return {
    value: Math.exp(middle),
    interval: found && { lo: Math.exp(found.interval.lo), hi: Math.exp(found.interval.hi) },
  };
}
