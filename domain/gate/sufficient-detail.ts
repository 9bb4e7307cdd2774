/**
 * PartialOrderEval: does the new model need more detail? Bounds of the least level that suffices in each model, and from
 * them of the difference.
 */
import type { TaskScores } from '../metrics/specificity-scores.ts';
import { type LevelGaps, sufficientLevel } from '../metrics/specificity-sufficient.ts';
import type { GateEstimate, TaskEvidence } from './estimate.ts';

/** A model's scores from the least level to the most (the maximal prompt), on the same tasks everywhere. */
export type DetailCurve = readonly (readonly number[])[];

/** Scores of both models at the levels that both have, on the tasks with a score at every one of them. */
export function commonCurves(old: readonly TaskScores[], now: readonly TaskScores[]): { old: DetailCurve; now: DetailCurve } {
  const all = [...old, ...now];
  const tasks = [...(all[0]?.keys() ?? [])].filter((task) => all.every((level) => level.has(task)));
  const curveOf = (levels: readonly TaskScores[]): DetailCurve => levels.map((level) => tasks.map((task) => level.get(task) as number));
  return { old: curveOf(old), now: curveOf(now) };
}

/**
 * The first level whose pass is at least the maximal prompt's less `within`, as a place from 0, in both; and bounds of
 * new minus old. The chance of a wrong bound is split between the models, as their bounds are from other tests.
 * @param level confidence of each bound of the difference
 */
export function sufficientDetail(old: DetailCurve, now: DetailCurve, within: number, level: number): GateEstimate {
  const [before, after] = [old, now].map((curve) => sufficientLevel(gapsOf(curve), within, level));
  if (!before || !after) return { old: null, now: null, interval: null };
  return {
    old: before.level,
    now: after.level,
    interval: { lo: after.lo - before.hi, hi: after.hi - before.lo },
    method: "Gaffke's bounds over tasks, level by level",
    tasks: { ...noValues, n: old[0]?.length ?? 0 },
  };
}

/** The level is one of all tasks together. */
const noValues: Omit<TaskEvidence, 'n'> = { lost: null, gained: null, lostIds: [], gainedIds: [], needed: null, decidable: null };

const gapsOf = (curve: DetailCurve): LevelGaps[] =>
  curve.map((scores, place) => ({
    gaps: scores.map((score, task) => score - (curve.at(-1)?.[task] as number)),
    isBar: place === curve.length - 1,
  }));
