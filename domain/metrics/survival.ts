/** The survival curve of EVALOOP: which share of the cells still passes after each loop. */
import type { Interval } from '../statistics/interval.ts';
import { kaplanMeier } from '../statistics/kaplan-meier.ts';
import { wilsonInterval } from '../statistics/wilson.ts';

export interface SurvivalPoint {
  /** From 1 to M. */
  readonly loop: number;
  /** Cells that sustained at least `loop` loops. */
  readonly survivors: number;
  /** pass@1 after this loop, in [0, 1]. */
  readonly share: number;
  /** Greenwood's on the log-log scale, as of Kaplan and Meier's curve; Wilson's where all or none survive and that one is undefined. */
  readonly interval: Interval;
}

/** The curve from n_0 .. n_M. Empty when there are no cells. Example: n = [1, 1, 1, 2] gives shares 0.8, 0.6, 0.4. */
export function survivalCurve(counts: readonly number[], level?: number): SurvivalPoint[] {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  if (cells === 0) return [];
  const last = counts.length - 1;
  const durations = counts.flatMap((count, loops) =>
    Array.from({ length: count }, () => (loops === last ? { time: last, ended: false } : { time: loops + 1, ended: true })),
  );
  const steps = kaplanMeier(durations, level);
  return counts.slice(1).map((_, index) => {
    const survivors = counts.slice(index + 1).reduce((sum, count) => sum + count, 0);
    const interval = steps[index]?.interval ?? wilsonInterval(survivors, cells, level) ?? { lo: 0, hi: 1 };
    return { loop: index + 1, survivors, share: survivors / cells, interval };
  });
}

/** pass@1 after loop 1 minus after loop M, in [0, 1]: the cells that passed once and were then lost. Null without cells. */
export function absoluteDrop(counts: readonly number[]): number | null {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  const lost = counts.slice(1, -1).reduce((sum, count) => sum + count, 0);
  return cells === 0 ? null : lost / cells;
}
