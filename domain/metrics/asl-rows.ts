/** Rows of table `asl` from rows of table `loops`. Input order does not matter: everything is computed in key order. */
import type { LoopEnding } from '../../schemas/states.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { seedOf } from '../random.ts';
import { type BootstrapResult, clusterBootstrap, defaultResamples } from '../statistics/bootstrap.ts';
import { defaultLevel } from '../statistics/interval.ts';
import { wilsonInterval } from '../statistics/wilson.ts';
import { aslUnweighted, averageSustainableLoops, type LoopCell, sustainedCounts } from './asl.ts';
import { referenceCeiling } from './ceiling.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from './row-order.ts';
import { absoluteDrop } from './survival.ts';

export interface AslSettings {
  readonly maxLoops: number;
  /** Id of the judging model; null without a judge, and then `asl` is null. */
  readonly judge: string | null;
  /** The spec's seed; the bootstrap's own seed is made from it and the row's key. */
  readonly seed: number;
  /** Default 0.95. */
  readonly level?: number;
  /** Default 2,000. */
  readonly resamples?: number;
}

interface CountedCell extends LoopCell {
  readonly taskId: string;
}

/**
 * One row per (run, study, model, benchmark, language, setting), in key order, over the cells of the unchanged prompt. Cells that ended
 * by a limit of ours (`excluded`) are counted apart and in no estimate. `suites` gives the ceiling; without it the ceiling is null.
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
    ...estimates(cells, counts, settings, seedOf('asl', settings.seed, ...tables.asl.key.slice(1).map((column) => textOf(first, column)))),
    absolute_drop: absoluteDrop(counts),
    n_sustained: counts,
    max_loops: settings.maxLoops,
    level: settings.level ?? defaultLevel,
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

const isJudged = (cell: LoopCell, maxLoops: number): boolean => cell.sustainedLoops > 0 && cell.sustainedLoops < maxLoops;

function estimates(cells: readonly CountedCell[], counts: readonly number[], settings: AslSettings, seed: number): Row {
  const { maxLoops } = settings;
  const tasks = [...Map.groupBy(cells, (cell) => cell.taskId).values()];
  const sums = tasks.map(taskSums);
  const spreadOf = <Cluster>(clusters: readonly Cluster[], estimator: (drawn: readonly Cluster[]) => number | null): BootstrapResult =>
    clusterBootstrap(clusters, estimator, { ...settings, seed });
  const weighted = settings.judge === null ? noJudge : averageSustainableLoops(cells, maxLoops);
  const aslSpread = weighted.asl === null ? null : spreadOf(tasks, (drawn) => averageSustainableLoops(drawn.flat(), maxLoops).asl);
  const unweightedSpread = spreadOf(sums, (drawn) => sumOf(drawn, 'squares') / (maxLoops * sumOf(drawn, 'cells')));
  const passSpread = tasks.length === cells.length ? null : spreadOf(sums, (drawn) => sumOf(drawn, 'passes') / sumOf(drawn, 'cells'));
  const passInterval = passSpread === null ? wilsonInterval(passes(cells), cells.length, settings.level) : passSpread.interval;
  return {
    asl: weighted.asl,
    asl_lo: aslSpread?.interval?.lo ?? null,
    asl_hi: aslSpread?.interval?.hi ?? null,
    asl_unweighted: aslUnweighted(counts),
    asl_unweighted_lo: unweightedSpread.interval?.lo ?? null,
    asl_unweighted_hi: unweightedSpread.interval?.hi ?? null,
    pass_at_1: passShare(cells),
    pass_at_1_lo: passInterval?.lo ?? null,
    pass_at_1_hi: passInterval?.hi ?? null,
    method: methodText(settings.resamples ?? defaultResamples, aslSpread, passSpread === null),
    reason: weighted.reason,
  };
}

/** What the cells of one task add: whole numbers, so that a draw of tasks is added up exactly, and in a few steps. */
interface TaskSums {
  readonly cells: number;
  readonly passes: number;
  /** Of sustained loops. */
  readonly squares: number;
}

const taskSums = (cells: readonly LoopCell[]): TaskSums => ({
  cells: cells.length,
  passes: passes(cells),
  squares: cells.reduce((sum, { sustainedLoops }) => sum + sustainedLoops ** 2, 0),
});

function sumOf(drawn: readonly TaskSums[], what: keyof TaskSums): number {
  let sum = 0;
  for (const task of drawn) sum += task[what];
  return sum;
}

const noJudge = { asl: null, reason: 'the study has no judge' } as const;

const passes = (cells: readonly LoopCell[]): number => cells.filter((cell) => cell.sustainedLoops > 0).length;

const passShare = (cells: readonly LoopCell[]): number | null => (cells.length === 0 ? null : passes(cells) / cells.length);

function methodText(resamples: number, aslSpread: BootstrapResult | null, wilson: boolean): string {
  const undefinedOnes = aslSpread === null ? 0 : aslSpread.resamples - aslSpread.defined;
  const left = undefinedOnes === 0 ? '' : `, ${undefinedOnes} of them without a defined asl`;
  return `percentile bootstrap over tasks, ${resamples} resamples${left}; pass_at_1: ${wilson ? 'Wilson' : 'the same bootstrap'}`;
}
