/**
 * Rows of table `attacks` from rows of table `loops`: compares every model's tasks unchanged and under
 * each attack (RQ1, table 1).
 */
import type { LoopEnding } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { seedOf } from '../../../domain/random.ts';
import { allOpen, boundedMeanInterval, boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { holmAdjusted } from '../../../domain/statistics/tests/holm.ts';
import { defaultLevel, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import { openMeanInterval } from '../../../domain/statistics/intervals/open-mean.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { signFlipTest } from '../../../domain/statistics/tests/sign-flip.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from '../../../domain/metrics/row-order.ts';

export interface AttackVariant {
  readonly attack: string;
  readonly family: string;
}

export interface AttackRowsSettings {
  /** M. */
  readonly maxLoops: number;
  /** The spec's seed; each row's seed is derived from it and the row's key. */
  readonly seed: number;
  /** The attack of each variant, by its name in the cell key. */
  readonly variants: ReadonlyMap<string, AttackVariant>;
  /** Default 0.95. */
  readonly level?: number;
}

/** One task and model: means over repetitions and over the attack's draws. */
interface PairedTask {
  readonly before: TaskScore;
  readonly after: TaskScore;
  /** Whether each side has exactly one answer. */
  readonly single: boolean;
}

interface TaskScore {
  /** Share of first answers that passed, in [0, 1]. */
  readonly passed: number;
  /** The task's contribution to ASL with every s_i = 1: mean of i^2 / M. Null if none was judged to its end. */
  readonly asl: number | null;
  /** The same with the others broken where they stand, and with all their loops sustained. */
  readonly least: number;
  readonly most: number;
}

/**
 * One row per (run, study, model, benchmark, language, attack), without `p_adjusted`. A task counts if the first answer
 * to its unchanged prompt and one to an attacked prompt were judged. ASL is of those that were judged to their end, and
 * its intervals have all that the others allow. @param loops all those of some models
 */
export function attackRows(loops: readonly Row[], settings: AttackRowsSettings): Row[] {
  const own = loops.filter((row) => row['setting'] === 'default').toSorted(compareByColumns(tables.loops.key));
  return groupByColumns(own, laneColumns).flatMap((lane) => laneRows(lane, settings));
}

/** In key order. The p values of a study are one family (Holm). @param rows of all models */
export function adjustedAttackRows(rows: readonly Row[]): Row[] {
  const studies = groupByColumns(rows, ['run', 'study', 'benchmark']);
  const adjusted = new Map(studies.flatMap((study) => adjustedOf(study)));
  return rows
    .map((row) => ({ ...row, p_adjusted: adjusted.get(row) ?? null }))
    .toSorted(compareByColumns(tables.attacks.key));
}

const laneColumns = ['run', 'study', 'model', 'benchmark', 'language'];

function adjustedOf(rows: readonly Row[]): (readonly [Row, number | null])[] {
  const adjusted = holmAdjusted(rows.map((row) => (row['p'] === null ? null : numberOf(row, 'p'))));
  return rows.map((row, index) => [row, adjusted[index] ?? null] as const);
}

function laneRows(lane: readonly Row[], settings: AttackRowsSettings): Row[] {
  const before = tasksOf(lane.filter((row) => row['variant'] === 'original'));
  const attackOf = (row: Row): string | undefined => settings.variants.get(textOf(row, 'variant'))?.attack;
  const attacks = Map.groupBy(
    lane.filter((row) => attackOf(row) !== undefined),
    (row) => attackOf(row) as string,
  );
  return [...attacks].map(([attack, attacked]) => attackRow(attack, lane[0] as Row, before, attacked, settings));
}

const tasksOf = (rows: readonly Row[]): Map<string, Row[]> => Map.groupBy(rows, (row) => textOf(row, 'task_id'));

function attackRow(
  attack: string,
  first: Row,
  before: ReadonlyMap<string, readonly Row[]>,
  attacked: readonly Row[],
  settings: AttackRowsSettings,
): Row {
  const variants = [...new Set(attacked.map((row) => textOf(row, 'variant')))];
  const tasks = tasksOf(attacked);
  const pairs = [...tasks].flatMap(([taskId, rows]) => pairOf(before.get(taskId) ?? [], rows, settings.maxLoops) ?? []);
  const unchanged = [...tasks.values()].filter((rows) =>
    rows.every((row) => row['ended_outcome'] === 'not_run'),
  ).length;
  const key = Object.fromEntries(laneColumns.map((column) => [column, first[column] ?? null]));
  const seed = seedOf('attack', settings.seed, ...laneColumns.slice(1).map((column) => textOf(first, column)), attack);
  return {
    ...key,
    attack,
    family: settings.variants.get(variants[0] as string)?.family ?? null,
    draws: variants.length,
    ...comparison(pairs, settings, seed),
    n: pairs.length,
    n_unchanged: unchanged,
    n_excluded: tasks.size - unchanged - pairs.length,
    simulated: attacked.some((row) => row['simulated'] === true),
  };
}

const endedBy = (row: Row): LoopEnding => row['ended_by'] as LoopEnding;

function pairOf(before: readonly Row[], after: readonly Row[], maxLoops: number): PairedTask | null {
  const [counted, attacked] = [before, after].map((rows) =>
    rows.filter((row) => endedBy(row) !== 'excluded' || numberOf(row, 'sustained_loops') > 0),
  );
  if (!counted?.length || !attacked?.length) return null;
  return {
    before: scoreOf(counted, maxLoops),
    after: scoreOf(attacked, maxLoops),
    single: counted.length === 1 && attacked.length === 1,
  };
}

const scoreOf = (rows: readonly Row[], maxLoops: number): TaskScore => {
  const pointsOf = (row: Row): number => numberOf(row, 'sustained_loops') ** 2 / maxLoops;
  const isOpen = (row: Row): boolean => endedBy(row) === 'excluded' || endedBy(row) === 'not_asked';
  const meanOf = (some: readonly Row[], points: (row: Row) => number): number | null => mean(some.map(points));
  return {
    passed: rows.filter((row) => numberOf(row, 'sustained_loops') > 0).length / rows.length,
    asl: meanOf(
      rows.filter((row) => endedBy(row) !== 'excluded'),
      pointsOf,
    ),
    least: meanOf(rows, pointsOf) as number,
    most: meanOf(rows, (row) => (isOpen(row) ? maxLoops : pointsOf(row))) as number,
  };
};

function comparison(pairs: readonly PairedTask[], settings: AttackRowsSettings, seed: number) {
  const { level = defaultLevel } = settings;
  const meanOf = (score: (task: PairedTask) => number): number | null => mean(pairs.map(score));
  const within = (bounds: Interval, value: (task: PairedTask) => number): Interval | null =>
    boundedMeanInterval(pairs.map(value), bounds, { level });
  const passChange = ({ before, after }: PairedTask): number => after.passed - before.passed;
  const passBefore = within({ lo: 0, hi: 1 }, ({ before }) => before.passed);
  const pass = within({ lo: 0, hi: 1 }, ({ after }) => after.passed);
  const passDifference = within({ lo: -1, hi: 1 }, passChange);
  const single = pairs.every((pair) => pair.single);
  const broken = pairs.filter((pair) => passChange(pair) < 0).length;
  const mended = pairs.filter((pair) => passChange(pair) > 0).length;
  const isOpen = pairs.some(({ before, after }) => before.least < before.most || after.least < after.most);
  return {
    pass_at_1_original: meanOf(({ before }) => before.passed),
    pass_at_1_original_lo: passBefore?.lo ?? null,
    pass_at_1_original_hi: passBefore?.hi ?? null,
    pass_at_1: meanOf(({ after }) => after.passed),
    pass_at_1_lo: pass?.lo ?? null,
    pass_at_1_hi: pass?.hi ?? null,
    pass_difference: meanOf(passChange),
    pass_difference_lo: passDifference?.lo ?? null,
    pass_difference_hi: passDifference?.hi ?? null,
    broken,
    mended,
    p: single && pairs.length > 0 ? mcnemarP(broken, mended) : signFlipTest(pairs.map(passChange), { seed }).p,
    ...aslColumns(pairs, settings),
    level,
    confidence: level,
    method:
      `${single ? 'McNemar' : 'sign flips of whole tasks'}; intervals: ${boundedMeanMethod}` +
      (isOpen ? `, of ASL ${allOpen}` : ''),
    reason: pairs.length === 0 ? 'no task counts both as it is and under the attack' : null,
  };
}

/** Estimates of the tasks judged to their end on both sides; intervals have all that the others allow. */
function aslColumns(pairs: readonly PairedTask[], { maxLoops, level = defaultLevel }: AttackRowsSettings) {
  const whole = pairs.flatMap(({ before, after }) =>
    before.asl === null || after.asl === null ? [] : [{ before: before.asl, after: after.asl }],
  );
  const held = (
    value: number | null,
    bounds: Interval,
    ends: (task: PairedTask) => readonly [number, number],
  ): Interval | null => {
    const [least, most] = ([0, 1] as const).map((end) => pairs.map((task) => ends(task)[end]));
    return openMeanInterval(value, { least: least ?? [], most: most ?? [] }, bounds, level);
  };
  const scores = { lo: 0, hi: maxLoops };
  const [before, after] = [mean(whole.map((task) => task.before)), mean(whole.map((task) => task.after))];
  const change = mean(whole.map((task) => task.after - task.before));
  const ofBefore = held(before, scores, (task) => [task.before.least, task.before.most]);
  const ofAfter = held(after, scores, (task) => [task.after.least, task.after.most]);
  const ofChange = held(change, { lo: -maxLoops, hi: maxLoops }, (task) => [
    task.after.least - task.before.most,
    task.after.most - task.before.least,
  ]);
  return {
    asl_unweighted_original: before,
    asl_unweighted_original_lo: ofBefore?.lo ?? null,
    asl_unweighted_original_hi: ofBefore?.hi ?? null,
    asl_unweighted: after,
    asl_unweighted_lo: ofAfter?.lo ?? null,
    asl_unweighted_hi: ofAfter?.hi ?? null,
    asl_difference: change,
    asl_difference_lo: ofChange?.lo ?? null,
    asl_difference_hi: ofChange?.hi ?? null,
  };
}
