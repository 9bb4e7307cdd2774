/**
 * PartialOrderEval: does the new model need more detail? Bounds of each model's least sufficient level, and from them
 * bounds of the difference.
 */
import type { LevelScores, TaskScores } from './scores.ts';
import { canFall, cannotFallText, type LevelGaps, sufficientLevel } from './sufficient-level.ts';
import type { BoundedValue } from '../../../domain/compare/whole-metrics.ts';
import type { GateEstimate, TaskEvidence } from '../../../domain/gate/estimate.ts';

/** Name of the method in tables and reports. */
export const sufficientMethod = "Gaffke's bounds over tasks, level by level";

/** A model's scores by level, from the least detail to the maximal prompt, on the same tasks at every level. */
export type DetailCurve = readonly (readonly number[])[];

/** A model's scores on the tasks that were judged at every level; and on all answered ones, what they may be. */
export interface OpenCurve {
  readonly judged: DetailCurve;
  readonly least: DetailCurve;
  readonly most: DetailCurve;
  /** What is said if no task was judged at every level. Default: that none was. */
  readonly ifNone?: string;
}

/** Of a model whose answers were all judged. */
export const knownCurve = (curve: DetailCurve): OpenCurve => ({ judged: curve, least: curve, most: curve });

/**
 * On the tasks that all models have answered at all levels, judged or not.
 * @param models each one's levels of the curve @param counted all levels at which a task must count; default: these
 */
export function openCurves(
  models: readonly (readonly LevelScores[])[],
  counted: readonly (readonly LevelScores[])[] = models,
): { readonly taskIds: readonly string[]; readonly curves: readonly OpenCurve[] } {
  const taskIds = commonTasks(counted.flat().map(({ least }) => least));
  const curves = models.map((levels, model): OpenCurve => {
    const known = new Set(commonTasks((counted[model] ?? []).map(({ scores }) => scores)));
    const judged = taskIds.filter((task) => known.has(task));
    const curveOf = (of: 'scores' | 'least' | 'most', tasks: readonly string[]): DetailCurve =>
      levels.map((level) => tasks.map((task) => level[of].get(task) as number));
    const open = { least: curveOf('least', taskIds), most: curveOf('most', taskIds) };
    return { judged: curveOf('scores', judged), ...open, ifNone: known.size > 0 ? notShared : notWhole };
  });
  return { taskIds, curves };
}

const notWhole = 'has no task with a score at every level';
/** Its scores are of tasks that another model has not answered. */
const notShared = 'has no value on the shared tasks';

/** Tasks with a score at every level. */
export const commonTasks = (levels: readonly TaskScores[]): string[] =>
  [...(levels[0]?.keys() ?? [])].filter((task) => levels.every((scores) => scores.has(task)));

/** Why nothing is known of the detail that a model needs; null if something is. */
export function whyNoDetail({ judged, least, ifNone = notWhole }: OpenCurve, within: number): string | null {
  if (judged.every(({ length }) => length === 0)) return ifNone;
  return canFall(least.at(-1) ?? [], within) ? null : cannotFallText(within);
}

/**
 * A model's least sufficient level as an index, with its bounds. Null if `whyNoDetail` says why. The bounds hold
 * whatever the answers are that could not be judged: at best they pass at a level and fail at the maximal prompt.
 */
export function leastDetail(curve: OpenCurve, within: number, level: number): BoundedValue | null {
  if (whyNoDetail(curve, within) !== null) return null;
  const { judged, least, most } = curve;
  const found = sufficientLevel(gapsOf(judged), within, level);
  if (found === null) return null;
  const isOpen = least.some((scores, place) => scores.some((score, task) => score !== most[place]?.[task]));
  const [best, worst] = isOpen
    ? [sufficientLevel(gapsOf(most, least), within, level), sufficientLevel(gapsOf(least, most), within, level)]
    : [found, found];
  return {
    value: found.level,
    lo: Math.min(found.lo, best?.lo ?? found.lo),
    hi: Math.max(found.hi, worst?.hi ?? found.hi),
  };
}

/**
 * For both models, the index of the first level whose pass is at least the maximal prompt's minus `within`; and bounds
 * of new minus old. The error probability is split between the models, because their bounds come from separate tests.
 * @param level confidence of each bound of the difference
 */
export function sufficientDetail(old: OpenCurve, now: OpenCurve, within: number, level: number): GateEstimate {
  const [before, after] = [old, now].map((curve) => leastDetail(curve, within, level));
  if (!before || !after) {
    const why = [whyNoDetail(old, within), whyNoDetail(now, within)].flatMap((text, place) =>
      text === null ? [] : [`the ${place === 0 ? 'old' : 'new'} version ${text}`],
    );
    return { old: before?.value ?? null, now: after?.value ?? null, interval: null, why: why.join('; ') };
  }
  return {
    old: before.value,
    now: after.value,
    interval: { lo: after.lo - before.hi, hi: after.hi - before.lo },
    method: sufficientMethod,
    tasks: { ...noValues, n: old.least[0]?.length ?? 0 },
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

/** @param bars the scores whose last level is the bar; default: the curve's own */
const gapsOf = (curve: DetailCurve, bars: DetailCurve = curve): LevelGaps[] =>
  curve.map((scores, place) => ({
    gaps: scores.map((score, task) => score - (bars.at(-1)?.[task] as number)),
    isBar: place === curve.length - 1,
  }));
