/** Rows of table `asl` from rows of table `loops`. Input order does not matter: everything is computed in key order. */
import type { LoopEnding } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { boundedMeanMethod } from '../statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval } from '../statistics/intervals/interval.ts';
import { aslUnweighted, averageSustainableLoops, type LoopCell, sustainedCounts, weightedSquare } from './asl.ts';
import { referenceCeiling } from './ceiling.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from './row-order.ts';
import { absoluteDrop } from './survival.ts';

export interface AslSettings {
  readonly maxLoops: number;
  /** Id of the judging model; null without a judge, and then `asl` is null. */
  readonly judge: string | null;
  /** Default 0.95. */
  readonly level?: number;
}

interface CountedCell extends LoopCell {
  readonly taskId: string;
}

/**
 * One row per (run, study, model, benchmark, language, setting), in key order, over the cells of the original prompt.
 * Cells ended by a limit of evenkeel (`excluded`) are counted separately and enter no estimate. `suites` gives the
 * ceiling; without it the ceiling is null.
 */
export function aslRows(loops: readonly Row[], settings: AslSettings, suites: readonly Row[] = []): Row[] {
  const original = loops.filter((row) => row['variant'] === 'original');
  const sorted = original.toSorted(compareByColumns(tables.loops.key));
  return groupByColumns(sorted, tables.asl.key).map((group) => aslRow(group, settings, suites));
}

function aslRow(group: readonly Row[], settings: AslSettings, suites: readonly Row[]): Row {
  const counted = group.filter((row) => (row['ended_by'] as LoopEnding) !== 'excluded');
  const cells = counted.map(countedCell);
  const counts = sustainedCounts(cells, settings.maxLoops);
  const first = group[0] as Row;
  return {
    ...Object.fromEntries(tables.asl.key.map((column) => [column, first[column] ?? null])),
    judge: settings.judge,
    ...estimates(cells, counts, settings),
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

const countedCell = (row: Row): CountedCell => ({
  taskId: textOf(row, 'task_id'),
  sustainedLoops: numberOf(row, 'sustained_loops'),
  similarity: row['similarity'] === null ? null : numberOf(row, 'similarity'),
});

const isJudged = (cell: LoopCell, maxLoops: number): boolean =>
  cell.sustainedLoops > 0 && cell.sustainedLoops < maxLoops;

function estimates(cells: readonly CountedCell[], counts: readonly number[], settings: AslSettings): Row {
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
  const weighted = settings.judge === null ? noJudge : averageSustainableLoops(cells, maxLoops);
  // A cell without a similarity could have any: the lower end assumes 0, the upper end 1.
  const weightedEnd = (unscored: 0 | 1): Interval | null =>
    weighted.asl === null ? null : within(score, (cell) => weightedSquare(cell, maxLoops, unscored));
  const unweighted = within(score, ({ sustainedLoops }) => sustainedLoops ** 2 / maxLoops);
  const dropped = within(share, ({ sustainedLoops }) => Number(sustainedLoops > 0 && sustainedLoops < maxLoops));
  const survival = counts.slice(1).map((_, index) => lasting(index + 1));
  const drawn = survival.filter((interval) => interval !== null);
  return {
    asl: weighted.asl,
    asl_lo: weightedEnd(0)?.lo ?? null,
    asl_hi: weightedEnd(1)?.hi ?? null,
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
    method: boundedMeanMethod,
    reason: weighted.reason,
  };
}

const noJudge = { asl: null, reason: 'the study has no judge' } as const;

const passShare = (cells: readonly LoopCell[]): number | null =>
  cells.length === 0 ? null : cells.filter(({ sustainedLoops }) => sustainedLoops > 0).length / cells.length;
