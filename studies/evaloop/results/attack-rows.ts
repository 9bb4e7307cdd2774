/**
 * Rows of table `attacks` from rows of table `loops`: compares every model's tasks unchanged and under
 * each attack (RQ1, table 1).
 */
import type { LoopEnding } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { seedOf } from '../../../domain/random.ts';
import { boundedMeanMethod, openMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { holmAdjusted } from '../../../domain/statistics/tests/holm.ts';
import { defaultLevel, type Interval } from '../../../domain/statistics/intervals/interval.ts';
import {
  isOpen,
  type OpenEnds,
  openMeanInterval,
  possibleMean,
} from '../../../domain/statistics/intervals/open-mean.ts';
import { heldP } from '../../../domain/statistics/tests/held-p.ts';
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
  readonly passed: OpenValue;
  /** The task's contribution to ASL with every s_i = 1: mean of i^2 / M. */
  readonly asl: OpenValue;
}

interface OpenValue {
  /** Of the answers, or loops, that were judged to their end; null without any. */
  readonly judged: number | null;
  /** With the others broken where they stand, and with all their loops sustained. */
  readonly least: number;
  readonly most: number;
}

/**
 * One row per (run, study, model, benchmark, language, attack), without `p_adjusted`. A task counts if the first answer
 * to its unchanged prompt and one to an attacked prompt were judged, and for ASL if both were judged to their end. No
 * estimate is outside of what all tasks may be; intervals and p have all that the others allow.
 * @param loops all those of some models
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
    n: pairs.filter(isJudged).length,
    n_unchanged: unchanged,
    n_excluded: tasks.size - unchanged - pairs.filter(isJudged).length,
    simulated: attacked.some((row) => row['simulated'] === true),
  };
}

const endedBy = (row: Row): LoopEnding => row['ended_by'] as LoopEnding;

/** Without rows of which nothing can be known: the reference gives no output, or the attack changes nothing. */
const asked = (rows: readonly Row[]): Row[] =>
  rows.filter((row) => !(isCut(row) && row['ended_outcome'] === 'not_run' && numberOf(row, 'sustained_loops') === 0));

const isCut = (row: Row): boolean => endedBy(row) === 'excluded';

function pairOf(before: readonly Row[], after: readonly Row[], maxLoops: number): PairedTask | null {
  const [own, attacked] = [asked(before), asked(after)];
  if (own.length === 0 || attacked.length === 0) return null;
  return {
    before: scoreOf(own, maxLoops),
    after: scoreOf(attacked, maxLoops),
    single: own.length === 1 && attacked.length === 1,
  };
}

/** Whether a first answer of each side was judged. */
const isJudged = ({ before, after }: PairedTask): boolean =>
  before.passed.judged !== null && after.passed.judged !== null;

function scoreOf(rows: readonly Row[], maxLoops: number): TaskScore {
  const loopsOf = (row: Row): number => numberOf(row, 'sustained_loops');
  const passOf = (row: Row): number => Number(loopsOf(row) > 0);
  const pointsOf = (row: Row): number => loopsOf(row) ** 2 / maxLoops;
  const isUnanswered = (row: Row): boolean => isCut(row) && loopsOf(row) === 0;
  const meanOf = (of: (row: Row) => number): number => mean(rows.map(of)) as number;
  return {
    passed: {
      judged: mean(rows.filter((row) => !isUnanswered(row)).map(passOf)),
      least: meanOf(passOf),
      most: meanOf((row) => (isUnanswered(row) ? 1 : passOf(row))),
    },
    asl: {
      judged: mean(rows.filter((row) => !isCut(row)).map(pointsOf)),
      least: meanOf(pointsOf),
      most: meanOf((row) => (isCut(row) || endedBy(row) === 'not_asked' ? maxLoops : pointsOf(row))),
    },
  };
}

function comparison(pairs: readonly PairedTask[], settings: AttackRowsSettings, seed: number) {
  const { level = defaultLevel, maxLoops } = settings;
  const passed = sides(pairs, 'passed', 1, level);
  const asl = sides(pairs, 'asl', maxLoops, level);
  const single = pairs.every((pair) => pair.single);
  const test = (changes: readonly number[]): number | null => {
    if (!single) return signFlipTest(changes, { seed }).p;
    const count = (sign: number): number => changes.filter((change) => Math.sign(change) === sign).length;
    return changes.length === 0 ? null : mcnemarP(count(-1), count(1));
  };
  return {
    ...columns('pass_at_1_original', passed.before),
    ...columns('pass_at_1', passed.after),
    ...columns('pass_difference', passed.change),
    broken: passed.changes.filter((change) => change < 0).length,
    mended: passed.changes.filter((change) => change > 0).length,
    p: heldP(passed.changes, passed.ends, test),
    ...columns('asl_unweighted_original', asl.before),
    ...columns('asl_unweighted', asl.after),
    ...columns('asl_difference', asl.change),
    level,
    confidence: level,
    method:
      `${single ? 'McNemar' : 'sign flips of whole tasks'}; ` +
      `intervals: ${isOpen(asl.ends) ? openMethod : boundedMeanMethod}`,
    reason: pairs.some(isJudged) ? null : 'no task counts both as it is and under the attack',
  };
}

interface Held {
  readonly value: number | null;
  readonly interval: Interval | null;
}

const columns = (name: string, { value, interval }: Held): Row => ({
  [name]: value,
  [`${name}_lo`]: interval?.lo ?? null,
  [`${name}_hi`]: interval?.hi ?? null,
});

interface Sides {
  readonly before: Held;
  readonly after: Held;
  readonly change: Held;
  /** Of tasks judged on both sides, and what those of all may be. */
  readonly changes: readonly number[];
  readonly ends: OpenEnds;
}

/** Estimates of the tasks judged on both sides, within what all may be. @param greatest of a value, from 0 */
function sides(pairs: readonly PairedTask[], score: keyof TaskScore, greatest: number, level: number): Sides {
  const all = pairs.map(({ before, after }) => ({ before: before[score], after: after[score] }));
  const judged = all.flatMap(({ before, after }) =>
    before.judged === null || after.judged === null ? [] : [{ before: before.judged, after: after.judged }],
  );
  const held = (known: readonly number[], ends: OpenEnds, bounds: Interval): Held => {
    const value = possibleMean(known, ends);
    return { value, interval: openMeanInterval(value, ends, bounds, level) };
  };
  const ofSide = (side: 'before' | 'after'): Held => {
    const ends = { least: all.map((task) => task[side].least), most: all.map((task) => task[side].most) };
    return held(
      judged.map((task) => task[side]),
      ends,
      { lo: 0, hi: greatest },
    );
  };
  const changes = judged.map(({ before, after }) => after - before);
  const ends = {
    least: all.map(({ before, after }) => after.least - before.most),
    most: all.map(({ before, after }) => after.most - before.least),
  };
  const change = held(changes, ends, { lo: -greatest, hi: greatest });
  return { before: ofSide('before'), after: ofSide('after'), change, changes, ends };
}
