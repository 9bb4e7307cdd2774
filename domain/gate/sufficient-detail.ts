/** PartialOrderEval: is the least level of detail that suffices a higher one with the new model? Bounds for both levels, and from them for the difference. */
import { mean, type TaskScores } from '../metrics/specificity-scores.ts';
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import type { Interval } from '../statistics/interval.ts';
import type { GateEstimate } from './estimate.ts';

/** A model's scores from the least level to the most (the maximal prompt), on the same tasks everywhere. */
export type DetailCurve = readonly (readonly number[])[];

/** Scores of both models at the levels that both have, on the tasks with a score at every one of them. */
export function commonCurves(old: readonly TaskScores[], now: readonly TaskScores[]): { old: DetailCurve; now: DetailCurve; n: number } {
  const all = [...old, ...now];
  const tasks = [...(all[0]?.keys() ?? [])].filter((task) => all.every((level) => level.has(task)));
  const curveOf = (levels: readonly TaskScores[]): DetailCurve => levels.map((level) => tasks.map((task) => level.get(task) as number));
  return { old: curveOf(old), now: curveOf(now), n: tasks.length };
}

/**
 * The first level whose pass is at least the maximal prompt's less `within`, as a place from 0, in both; and bounds of new minus old. Its chance of being
 * wrong is split between the models; within a model the levels are tested in a fixed order and the first that stays open ends it, which needs no
 * correction (Maurer, Hothorn and Lehmacher 1995): upwards those that do not suffice, downwards those that do.
 * @param level confidence of each bound of the difference
 */
export function sufficientDetail(old: DetailCurve, now: DetailCurve, within: number, level: number): GateEstimate {
  if ((old[0]?.length ?? 0) === 0) return { old: null, now: null, interval: null };
  const unknown = { lost: null, gained: null, lostIds: [], gainedIds: [], needed: null, decidable: null };
  const [before, after] = [old, now].map((curve) => sufficientLevels(curve, within, (1 + level) / 2)) as [Sufficient, Sufficient];
  return {
    old: before.place,
    now: after.place,
    interval: { lo: after.bounds.lo - before.bounds.hi, hi: after.bounds.hi - before.bounds.lo },
    method: "Gaffke's bounds over tasks, levels in a fixed order",
    tasks: { n: old[0]?.length ?? 0, ...unknown },
  };
}

interface Sufficient {
  readonly place: number;
  /** Each end by itself holds with the confidence asked for. */
  readonly bounds: Interval;
}

function sufficientLevels(curve: DetailCurve, within: number, level: number): Sufficient {
  const most = curve.length - 1;
  const gaps = curve.slice(0, most).map((scores) => scores.map((score, task) => score - (curve[most]?.[task] as number)));
  const bounds = gaps.map((gap) => boundedMeanInterval(gap, { lo: -1, hi: 1 }, { level: 2 * level - 1 }) as Interval);
  // Sums of equal scores in another order may differ in their last digits.
  const first = gaps.findIndex((gap) => (mean(gap) as number) >= -within - 1e-9);
  const open = bounds.findIndex(({ hi }) => hi >= -within);
  const tooLittle = bounds.findLastIndex(({ lo }) => lo < -within);
  return { place: first === -1 ? most : first, bounds: { lo: open === -1 ? most : open, hi: tooLittle + 1 } };
}
