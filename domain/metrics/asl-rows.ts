/** Rows of table `asl` from rows of table `loops`. Input order does not matter: everything is computed in key order. */
import type { LoopEnding } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { boundedMeanMethod, openMethod } from '../statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval } from '../statistics/intervals/interval.ts';
import { aslUnweighted, averageSustainableLoops, type LoopCell, sustainedCounts, weightedSquare } from './asl.ts';
import { aslInterval, aslIntervalOverJudges, type TaskCell } from './judges/asl-interval.ts';
import { referenceCeiling } from './ceiling.ts';
import { judgeError, type PanelCell } from './judges/judge-error.ts';
import { type JudgedCell, judgedCells, type Judges } from './judges/judged-cells.ts';
import { judgeMean } from './judges/panel-mean.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from './row-order.ts';
import { absoluteDrop } from './survival.ts';

export interface AslSettings {
  readonly maxLoops: number;
  /** Ids of the judging models; null without a judge, and then `asl` is null. */
  readonly judge: string | null;
  /** A panel's judges: the interval of `asl` then allows for the choice of judges. Default: one judge. */
  readonly judges?: Judges;
  /** Default 0.95. */
  readonly level?: number;
}

/**
 * One row per (run, study, model, benchmark, language, setting), in key order, over the cells of the original prompt.
 * Cells ended by a limit of evenkeel (`excluded`) are counted separately. What is known of them counts: one that passed
 * its first loop is in pass@1, no estimate is outside of what all cells may be, and intervals have all that the loops
 * after the last known one allow; so do those of cells of which nothing is known, unless no model can be judged on the
 * task. Of cells whose next question was never asked the known loops count, a lower bound, and intervals have all that
 * the others allow. `suites` gives the ceiling; without it the ceiling is null. `judgements` has the scores of a panel.
 */
export function aslRows(
  loops: readonly Row[],
  settings: AslSettings,
  suites: readonly Row[] = [],
  judgements: readonly Row[] = [],
): Row[] {
  const original = loops.filter((row) => row['variant'] === 'original');
  const sorted = original.toSorted(compareByColumns(tables.loops.key));
  return groupByColumns(sorted, tables.asl.key).map((group) => aslRow(group, settings, suites, judgements));
}

function aslRow(group: readonly Row[], settings: AslSettings, suites: readonly Row[], judgements: readonly Row[]): Row {
  const counted = group.filter((row) => (row['ended_by'] as LoopEnding) !== 'excluded');
  const cells = counted.map(countedCell);
  const open = openCells(group);
  const counts = sustainedCounts(cells, settings.maxLoops);
  const first = group[0] as Row;
  return {
    ...Object.fromEntries(tables.asl.key.map((column) => [column, first[column] ?? null])),
    judge: settings.judge,
    ...estimates(cells, open, counts, settings),
    ...weightedColumns(cells, open, panelCells(counted, judgements, settings), settings),
    n_sustained: counts,
    max_loops: settings.maxLoops,
    level: settings.level ?? defaultLevel,
    confidence: settings.level ?? defaultLevel,
    n: cells.length,
    n_excluded: group.length - cells.length,
    n_unscored: cells.filter((cell) => cell.similarity === null && isJudged(cell, settings.maxLoops)).length,
    ceiling: referenceCeiling(group, suites),
    simulated: group.some((row) => row['simulated'] === true),
  };
}

const countedCell = (row: Row): TaskCell => ({
  taskId: textOf(row, 'task_id'),
  sustainedLoops: numberOf(row, 'sustained_loops'),
  similarity: row['similarity'] === null ? null : numberOf(row, 'similarity'),
  isCutShort: (row['ended_by'] as LoopEnding) === 'not_asked',
});

/** Ended by a limit of evenkeel. Of a task without a reference's output nothing is known of any model. */
const isOpen = (row: Row): boolean =>
  (row['ended_by'] as LoopEnding) === 'excluded' &&
  (row['ended_outcome'] !== 'not_run' || numberOf(row, 'sustained_loops') > 0);

/** Cells that a limit of evenkeel ended. */
export const openCells = (group: readonly Row[]): TaskCell[] => group.filter(isOpen).map(countedCell);

const isJudged = (cell: LoopCell, maxLoops: number): boolean =>
  cell.sustainedLoops > 0 && cell.sustainedLoops < maxLoops;

/** Undefined for a single judge. */
const panelCells = (counted: readonly Row[], judgements: readonly Row[], { judges }: AslSettings) =>
  judges !== undefined && judges.models.length > 1 ? judgedCells(counted, judgements, judges) : undefined;

/** ASL with similarities. */
function weightedColumns(
  cells: readonly TaskCell[],
  open: readonly TaskCell[],
  panel: readonly JudgedCell[] | undefined,
  settings: AslSettings,
): Row {
  const { asl, interval, judgeError, reason } = possibleAsl(cells, open, panel, settings);
  const overTasks = open.length === 0 ? boundedMeanMethod : openMethod;
  return {
    asl,
    asl_lo: interval?.lo ?? null,
    asl_hi: interval?.hi ?? null,
    judge_error: judgeError,
    method: judgeError === null ? overTasks : `${overTasks}; ${judgesMethod}`,
    reason,
  };
}

/**
 * ASL within what all cells may be, with an interval that has all that they may be.
 * @param open cells that a limit of evenkeel ended @param panel as for `weightedAsl`
 */
export function possibleAsl(
  cells: readonly TaskCell[],
  open: readonly TaskCell[],
  panel: readonly JudgedCell[] | undefined,
  settings: AslSettings,
): WeightedAsl {
  const found = weightedAsl(cells, panel, settings);
  const { maxLoops } = settings;
  const ofOpen = (cell: LoopCell) => [weightedSquare({ ...cell, similarity: 0 }, maxLoops, 0), maxLoops] as const;
  return {
    ...found,
    asl: possible(found.asl, cells, open, ofOpen),
    interval: found.interval && weightedWith(found.interval, cells, open, settings),
  };
}

/**
 * With all that open cells allow: broken where they stand with similarity 0, or all loops sustained. Both ends move by
 * as much as those over tasks do, so that the judges' error stays in it, and no further than any scores could take
 * them.
 */
function weightedWith(
  known: Interval,
  cells: readonly TaskCell[],
  open: readonly TaskCell[],
  { maxLoops, level }: AslSettings,
): Interval {
  if (open.length === 0) return known;
  const least = open.map((cell) => ({ ...cell, similarity: 0 }));
  const most = open.map((cell) => ({ ...cell, sustainedLoops: maxLoops }));
  const over = (all: readonly TaskCell[]): Interval => aslInterval(all, maxLoops, level) as Interval;
  const scored = (similarity: 0 | 1): TaskCell[] => cells.map((cell) => ({ ...cell, similarity }));
  const overTasks = over(cells);
  const [lo, hi] = [over([...cells, ...least]).lo - overTasks.lo, over([...cells, ...most]).hi - overTasks.hi];
  return {
    lo: Math.max(over([...scored(0), ...least]).lo, known.lo + Math.min(0, lo)),
    hi: Math.min(over([...scored(1), ...most]).hi, known.hi + Math.max(0, hi)),
  };
}

/** Name of the method in tables and reports. */
export const judgesMethod = "of asl with the choice of judges, by Student's t over judges (MOVER)";

export interface WeightedAsl {
  readonly asl: number | null;
  readonly interval: Interval | null;
  /** Null for a single judge, or if it is unknown. */
  readonly judgeError: number | null;
  readonly reason: string | null;
}

/** @param panel the same cells with the scores of several judges */
export function weightedAsl(
  cells: readonly TaskCell[],
  panel: readonly JudgedCell[] | undefined,
  { maxLoops, judge, level }: AslSettings,
): WeightedAsl {
  const { asl, reason } = judge === null ? noJudge : averageSustainableLoops(cells, maxLoops);
  const overTasks = asl === null ? null : aslInterval(cells, maxLoops, level);
  if (asl === null || overTasks === null || panel === undefined)
    return { asl, interval: overTasks, judgeError: null, reason };
  const scored = ofScoringJudges(panel);
  const error = judgeError(scored, maxLoops);
  const judges = scored[0]?.scores.length ?? 0;
  const interval =
    error === null ? overTasks : aslIntervalOverJudges(cells, maxLoops, { asl, overTasks, error, judges }, level);
  return { asl, interval, judgeError: error, reason };
}

/**
 * With each judge's mean of a cell, of the judges that scored at least half as many as the one with the most. The error
 * is seen only where all have a score: one that rarely gives any would hide the others.
 */
function ofScoringJudges(panel: readonly JudgedCell[]): PanelCell[] {
  const means = panel.map((cell) => ({ ...cell, scores: cell.scores.map(judgeMean) }));
  const counts = (means[0]?.scores ?? []).map(
    (_, judge) => means.filter(({ scores }) => (scores[judge] ?? null) !== null).length,
  );
  const most = Math.max(1, ...counts);
  return means.map((cell) => ({
    ...cell,
    scores: cell.scores.filter((_, judge) => 2 * (counts[judge] as number) >= most),
  }));
}

function estimates(
  cells: readonly TaskCell[],
  open: readonly TaskCell[],
  counts: readonly number[],
  settings: AslSettings,
): Row {
  const { maxLoops, level } = settings;
  const unknown = new Set<LoopCell>([...open, ...cells.filter(({ isCutShort }) => isCutShort)]);
  const tasks = [...Map.groupBy([...cells, ...open], (cell) => cell.taskId).values()];
  /** Null without cells that count. @param ends least and most value of an open cell */
  const within = (
    bounds: Interval,
    value: (cell: LoopCell) => number,
    ends: (cell: LoopCell) => readonly [number, number],
  ): Interval | null => {
    if (cells.length === 0) return null;
    const over = (end: 0 | 1): Interval | null =>
      clusteredInterval(tasks, (cell) => (unknown.has(cell) ? ends(cell)[end] : value(cell)), bounds, level);
    const low = over(0);
    const high = unknown.size === 0 ? low : over(1);
    return low && high && { lo: low.lo, hi: high.hi };
  };
  const share = { lo: 0, hi: 1 };
  const score = { lo: 0, hi: maxLoops };
  const lasting = (loop: number): Interval | null =>
    within(
      share,
      ({ sustainedLoops }) => Number(sustainedLoops >= loop),
      ({ sustainedLoops }) => [Number(sustainedLoops >= loop), 1],
    );
  const endsOf = ({ sustainedLoops }: LoopCell) => [sustainedLoops ** 2 / maxLoops, maxLoops] as const;
  const unweighted = within(score, (cell) => endsOf(cell)[0], endsOf);
  // With a single loop pass@1 is compared with itself.
  const fallen = within(
    share,
    ({ sustainedLoops }) => Number(sustainedLoops > 0 && sustainedLoops < maxLoops),
    () => [0, 1],
  );
  const dropped = fallen && maxLoops === 1 ? { lo: 0, hi: 0 } : fallen;
  const survival = counts.slice(1).map((_, index) => lasting(index + 1));
  const drawn = survival.filter((interval) => interval !== null);
  return {
    asl_unweighted: possible(aslUnweighted(counts), cells, open, endsOf),
    asl_unweighted_lo: unweighted?.lo ?? null,
    asl_unweighted_hi: unweighted?.hi ?? null,
    pass_at_1: cells.length === 0 ? null : passShare([...cells, ...open.filter(isPastFirst)]),
    pass_at_1_lo: survival[0]?.lo ?? null,
    pass_at_1_hi: survival[0]?.hi ?? null,
    absolute_drop: possible(absoluteDrop(counts), cells, open, () => [0, 1]),
    absolute_drop_lo: dropped?.lo ?? null,
    absolute_drop_hi: dropped?.hi ?? null,
    // Lists are stored in single precision.
    survival_lo: drawn.map(({ lo }) => Math.fround(lo)),
    survival_hi: drawn.map(({ hi }) => Math.fround(hi)),
  };
}

/**
 * A mean over the cells that were judged to their end, or the nearest value that all cells may have.
 * @param ends least and most value of an open cell
 */
function possible(
  estimate: number | null,
  cells: readonly LoopCell[],
  open: readonly LoopCell[],
  ends: (cell: LoopCell) => readonly [number, number],
): number | null {
  if (estimate === null || open.length === 0) return estimate;
  const [least, most] = ([0, 1] as const).map((end) => {
    const all = open.reduce((sum, cell) => sum + ends(cell)[end], estimate * cells.length);
    return all / (cells.length + open.length);
  }) as [number, number];
  return Math.min(most, Math.max(least, estimate));
}

const noJudge = { asl: null, reason: 'the study has no judge' } as const;

const isPastFirst = ({ sustainedLoops }: LoopCell): boolean => sustainedLoops > 0;

const passShare = (cells: readonly LoopCell[]): number | null =>
  cells.length === 0 ? null : cells.filter(isPastFirst).length / cells.length;
