/** Survival over whole numbers of loops, where cells of one task depend on one another: the share that lasts, and the hazard of each loop. */
import { boundedMeanInterval } from './bounded-mean.ts';
import { clusteredInterval } from './clustered-interval.ts';
import type { Interval } from './interval.ts';
import { defaultLevel } from './interval.ts';

/** When something ended, from 1; `ended` is false where it had not by then (censored). */
export interface Duration {
  readonly time: number;
  readonly ended: boolean;
}

export interface SurvivalStep {
  readonly time: number;
  readonly atRisk: number;
  readonly ended: number;
  /** Of those at risk, the share that ended now. */
  readonly hazard: number;
  readonly hazardInterval: Interval;
  /** Kaplan and Meier's estimate of lasting beyond this time. */
  readonly survival: number;
  /** Never without width; null in a run of an earlier version that had none. */
  readonly interval: Interval | null;
}

const share = { lo: 0, hi: 1 };

/**
 * One step for each time from 1 to the last that anybody is at risk at. Intervals are Gaffke's bounds over clusters (tasks), each with the cells that are
 * at risk: with one cell a task they are Clopper and Pearson's. A cell that was lost from sight before may have ended there, which the lower end of survival
 * takes for granted, or last for ever, which the upper end does.
 */
export function survivalSteps(clusters: readonly (readonly Duration[])[], level = defaultLevel): SurvivalStep[] {
  const last = clusters.flat().reduce((most, { time }) => Math.max(most, time), 0);
  let survival = 1;
  return Array.from({ length: last }, (_, index) => {
    const step = stepAt(clusters, index + 1, level);
    survival *= 1 - step.hazard;
    return { ...step, survival };
  });
}

function stepAt(clusters: readonly (readonly Duration[])[], time: number, level: number): Omit<SurvivalStep, 'survival'> {
  const reached = clusters.map((cells) => cells.filter((cell) => cell.time >= time)).filter(({ length }) => length > 0);
  const endedNow = ({ time: at, ended }: Duration): boolean => ended && at === time;
  const hazards = reached.map((cells) => cells.filter(endedNow).length / cells.length);
  const weights = reached.map(({ length }) => length);
  const [atRisk, ended] = [reached.flat().length, reached.flat().filter(endedNow).length];
  const within = (lasts: (cell: Duration) => boolean): Interval | null =>
    clusteredInterval(clusters, (cell) => Number(lasts(cell)), share, level);
  const [surely, perhaps] = [
    within(({ time: at, ended: over }) => at > time || (at === time && !over)),
    within(({ time: at, ended: over }) => at > time || !over),
  ];
  return {
    time,
    atRisk,
    ended,
    hazard: ended / atRisk,
    hazardInterval: boundedMeanInterval(hazards, share, { level, weights }) as Interval,
    interval: surely && perhaps && { lo: surely.lo, hi: perhaps.hi },
  };
}
