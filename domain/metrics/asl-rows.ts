/** Rows of table `asl` from rows of table `loops`. Input order does not matter: everything is computed in key order. */
import type { LoopEnding } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { boundedMeanMethod } from '../statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval } from '../statistics/intervals/interval.ts';
import { aslUnweighted, averageSustainableLoops, type LoopCell, sustainedCounts } from './asl.ts';
import { aslInterval, aslIntervalOverJudges, type TaskCell } from './judges/asl-interval.ts';
import { referenceCeiling } from './ceiling.ts';
import { judgeError } from './judges/judge-error.ts';
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
 * Cells ended by a limit of evenkeel (`excluded`) are counted separately and enter no estimate. `suites` gives the
 * ceiling; without it the ceiling is null. `judgements` has the scores of a panel.
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
  const counts = sustainedCounts(cells, settings.maxLoops);
  const first = group[0] as Row;
  return {
    ...Object.fromEntries(tables.asl.key.map((column) => [column, first[column] ?? null])),
    judge: settings.judge,
    ...estimates(cells, counts, settings),
    ...weightedColumns(cells, panelCells(counted, judgements, settings), settings),
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
});

const isJudged = (cell: LoopCell, maxLoops: number): boolean =>
  cell.sustainedLoops > 0 && cell.sustainedLoops < maxLoops;

/** Undefined for a single judge. */
const panelCells = (counted: readonly Row[], judgements: readonly Row[], { judges }: AslSettings) =>
  judges !== undefined && judges.models.length > 1 ? judgedCells(counted, judgements, judges) : undefined;

/** ASL with similarities. */
function weightedColumns(
  cells: readonly TaskCell[],
  panel: readonly JudgedCell[] | undefined,
  settings: AslSettings,
): Row {
  const { asl, interval, judgeError, reason } = weightedAsl(cells, panel, settings);
  return {
    asl,
    asl_lo: interval?.lo ?? null,
    asl_hi: interval?.hi ?? null,
    judge_error: judgeError,
    method: judgeError === null ? boundedMeanMethod : `${boundedMeanMethod}; ${judgesMethod}`,
    reason,
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
  const error = judgeError(
    panel.map((cell) => ({ ...cell, scores: cell.scores.map(judgeMean) })),
    maxLoops,
  );
  const judges = panel[0]?.scores.length ?? 0;
  const interval =
    error === null ? overTasks : aslIntervalOverJudges(cells, maxLoops, { asl, overTasks, error, judges }, level);
  return { asl, interval, judgeError: error, reason };
}

function estimates(cells: readonly TaskCell[], counts: readonly number[], settings: AslSettings): Row {
  const { maxLoops } = settings;
  const tasks = [...Map.groupBy(cells, (cell) => cell.taskId).values()];
  const within = (bounds: Interval, value: (cell: LoopCell) => number): Interval | null =>
    clusteredInterval(tasks, value, bounds, settings.level);
  const [share, score] = [
    { lo: 0, hi: 1 },
    { lo: 0, hi: maxLoops },
  ];
  const lasting = (loop: number): Interval | null =>
    within(share, ({ sustainedLoops }) => Number(sustainedLoops >= loop));
  const unweighted = within(score, ({ sustainedLoops }) => sustainedLoops ** 2 / maxLoops);
  const dropped = within(share, ({ sustainedLoops }) => Number(sustainedLoops > 0 && sustainedLoops < maxLoops));
  const survival = counts.slice(1).map((_, index) => lasting(index + 1));
  const drawn = survival.filter((interval) => interval !== null);
  return {
    asl_unweighted: aslUnweighted(counts),
    asl_unweighted_lo: unweighted?.lo ?? null,
    asl_unweighted_hi: unweighted?.hi ?? null,
    pass_at_1: passShare(cells),
    pass_at_1_lo: survival[0]?.lo ?? null,
    pass_at_1_hi: survival[0]?.hi ?? null,
    absolute_drop: absoluteDrop(counts),
    absolute_drop_lo: dropped?.lo ?? null,
    absolute_drop_hi: dropped?.hi ?? null,
    // Lists are stored in single precision.
    survival_lo: drawn.map(({ lo }) => Math.fround(lo)),
    survival_hi: drawn.map(({ hi }) => Math.fround(hi)),
  };
}

const noJudge = { asl: null, reason: 'the study has no judge' } as const;

const passShare = (cells: readonly LoopCell[]): number | null =>
  cells.length === 0 ? null : cells.filter(({ sustainedLoops }) => sustainedLoops > 0).length / cells.length;
