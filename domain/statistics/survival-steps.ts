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
 * have ended there, as the lower end of survival assumes, or last for ever, as the upper end assumes; and it may have
 * come so far and ended at this time, as the upper end of the hazard assumes, or lasted, as its lower end assumes.
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
    hazardInterval: hullOf(
      boundedMeanInterval(hazards, share, { level, weights }) as Interval,
      openHazard(clusters, time, level),
    ),
    interval: surely && perhaps && { lo: surely.lo, hi: perhaps.hi },
  };
}

/** With the cells that were censored earlier, lasting at the lower end and ended at the upper end; null without any. */
function openHazard(clusters: readonly (readonly Duration[])[], time: number, level: number): Interval | null {
  const isOpen = ({ time: at, ended }: Duration): boolean => !ended && at < time;
  if (!clusters.flat().some(isOpen)) return null;
  const possible = clusters.map((cells) => cells.filter((cell) => cell.time >= time || isOpen(cell)));
  const over = (open: 0 | 1): Interval | null =>
    clusteredInterval(
      possible,
      (cell) => (isOpen(cell) ? open : Number(cell.ended && cell.time === time)),
      share,
      level,
    );
  const [low, high] = [over(0), over(1)];
  return low && high && { lo: low.lo, hi: high.hi };
}

const hullOf = (own: Interval, open: Interval | null): Interval =>
  open === null ? own : { lo: Math.min(own.lo, open.lo), hi: Math.max(own.hi, open.hi) };
