/** The survival curve of EVALOOP: the share of cells that still pass after each loop. */
import type { Interval } from '../statistics/intervals/interval.ts';

export interface SurvivalPoint {
  /** From 1 to M. */
  readonly loop: number;
  /** Cells that sustained at least `loop` loops. */
  readonly survivors: number;
  /** pass@1 after this loop, in [0, 1]. */
  readonly share: number;
  /** Null if the table it comes from has none. */
  readonly interval: Interval | null;
}

/**
 * The curve from n_0 .. n_M. Empty when there are no cells. Example: n = [1, 1, 1, 2] gives shares 0.8, 0.6, 0.4.
 * @param intervals of the share after loop 1, 2, ... M
 */
export function survivalCurve(counts: readonly number[], intervals: readonly Interval[]): SurvivalPoint[] {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  if (cells === 0) return [];
  return counts.slice(1).map((_, index) => {
    const survivors = counts.slice(index + 1).reduce((sum, count) => sum + count, 0);
    return { loop: index + 1, survivors, share: survivors / cells, interval: intervals[index] ?? null };
  });
}

/**
 * pass@1 after loop 1 minus pass@1 after loop M, in [0, 1]: cells that passed once and failed
 * later. Null without cells.
 */
export function absoluteDrop(counts: readonly number[]): number | null {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  const lost = counts.slice(1, -1).reduce((sum, count) => sum + count, 0);
  return cells === 0 ? null : lost / cells;
}
