/** Survival over numbers of loops, if cells of one task depend on each other: the share that lasts, and the hazards. */
import { boundedMeanInterval } from './intervals/bounded-mean.ts';
import { clusteredInterval } from './intervals/clustered-interval.ts';
import type { Interval } from './intervals/interval.ts';
import { defaultLevel } from './intervals/interval.ts';

/** The time of an end, from 1; `ended` is false if it had not ended by then (censored). */
export interface Duration {
  readonly time: number;
  readonly ended: boolean;
}

export interface SurvivalStep {
  readonly time: number;
  readonly atRisk: number;
  readonly ended: number;
  /** Share of those at risk that ended at this time. */
  readonly hazard: number;
  readonly hazardInterval: Interval;
  /** Kaplan-Meier estimate of the probability to last beyond this time. */
  readonly survival: number;
  /** Always has a width; null in runs of an earlier version without it. */
  readonly interval: Interval | null;
}

const share = { lo: 0, hi: 1 };

/**
 * One step for each time from 1 to the last with cells at risk. Intervals are Gaffke's bounds over clusters (tasks),
 * each with its cells at risk; with one cell per task they are Clopper-Pearson intervals. A cell censored earlier may
 * have ended there, as the lower end of survival assumes, or last for ever, as the upper end assumes.
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

function stepAt(
  clusters: readonly (readonly Duration[])[],
  time: number,
  level: number,
): Omit<SurvivalStep, 'survival'> {
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
