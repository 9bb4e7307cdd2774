/**
 * PartialOrderEval: does the new model need more detail? Bounds of each model's least sufficient level, and from them
 * bounds of the difference.
 */
import type { TaskScores } from './scores.ts';
import { type LevelGaps, sufficientLevel } from './sufficient-level.ts';
import type { BoundedValue } from '../../../domain/compare/whole-metrics.ts';
import type { GateEstimate, TaskEvidence } from '../../../domain/gate/estimate.ts';

/** Name of the method in tables and reports. */
export const sufficientMethod = "Gaffke's bounds over tasks, level by level";

/** A model's scores by level, from the least detail to the maximal prompt, on the same tasks at every level. */
export type DetailCurve = readonly (readonly number[])[];

/** Scores of all models at their common levels, on the tasks with a score at all of these. */
export function commonCurves(models: readonly (readonly TaskScores[])[]): {
  readonly taskIds: readonly string[];
  readonly curves: readonly DetailCurve[];
} {
  const all = models.flat();
  const taskIds = [...(all[0]?.keys() ?? [])].filter((task) => all.every((level) => level.has(task)));
  const curveOf = (levels: readonly TaskScores[]): DetailCurve =>
    levels.map((level) => taskIds.map((task) => level.get(task) as number));
  return { taskIds, curves: models.map(curveOf) };
}

/** A model's least sufficient level as an index, with its bounds. Null without tasks. */
export const leastDetail = (curve: DetailCurve, within: number, level: number): BoundedValue | null => {
  const found = sufficientLevel(gapsOf(curve), within, level);
  return found === null ? null : { value: found.level, lo: found.lo, hi: found.hi };
};

/**
 * For both models, the index of the first level whose pass is at least the maximal prompt's minus `within`; and bounds
 * of new minus old. The error probability is split between the models, because their bounds come from separate tests.
 * @param level confidence of each bound of the difference
 */
export function sufficientDetail(old: DetailCurve, now: DetailCurve, within: number, level: number): GateEstimate {
  const [before, after] = [old, now].map((curve) => sufficientLevel(gapsOf(curve), within, level));
  if (!before || !after) return { old: null, now: null, interval: null };
  return {
    old: before.level,
    now: after.level,
    interval: { lo: after.lo - before.hi, hi: after.hi - before.lo },
    method: sufficientMethod,
    tasks: { ...noValues, n: old[0]?.length ?? 0 },
  };
}

/** No evidence per task: a level is estimated from all tasks together. */
const noValues: Omit<TaskEvidence, 'n'> = {
  lost: null,
  gained: null,
  lostIds: [],
  gainedIds: [],
  needed: null,
  decidable: null,
};

export const gapsOf = (curve: DetailCurve): LevelGaps[] =>
  curve.map((scores, place) => ({
    gaps: scores.map((score, task) => score - (curve.at(-1)?.[task] as number)),
    isBar: place === curve.length - 1,
  }));
