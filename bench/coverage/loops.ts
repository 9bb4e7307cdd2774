/** Estimates of EVALOOP and related ones over loops that fail at random, computed from rows as in a run's tables. */
import { aslRows } from '../../domain/metrics/asl-rows.ts';
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import { type Duration, survivalSteps } from '../../domain/statistics/survival-steps.ts';
import { loopRows } from './loop-rows.ts';
import type { Random } from './random.ts';

export const maxLoops = 10;

export interface LoopTask {
  /** Cells of one task, which are its repetitions. */
  readonly cells: readonly { readonly sustained: number; readonly similarity: number }[];
}

/** Each loop succeeds with the task's chance, which is around `p`. Similarity is higher for longer survival. */
export function loopTask(random: Random, p: number, repetitions: number): LoopTask {
  const ability = random.beta(p, 4);
  return {
    cells: Array.from({ length: repetitions }, () => {
      let sustained = 0;
      while (sustained < maxLoops && random.uniform() < ability) sustained += 1;
      return { sustained, similarity: random.beta(0.5 + 0.04 * sustained, 3) };
    }),
  };
}

/** A cell's part of each estimate: an independent implementation of ASL (EVALOOP, section 2.2). */
const parts: Readonly<Record<string, (cell: LoopTask['cells'][number]) => number>> = {
  asl: ({ sustained: l, similarity }) =>
    l === 0 ? 0 : (l * l * (l === maxLoops ? 1 : (l - 1 + similarity) / l)) / maxLoops,
  asl_unweighted: ({ sustained }) => sustained ** 2 / maxLoops,
  pass_at_1: ({ sustained }) => Number(sustained > 0),
  absolute_drop: ({ sustained }) => Number(sustained > 0 && sustained < maxLoops),
};

/** The loop whose survival and hazard are estimated. */
const loop = 3;

export const loopEstimates = [...Object.keys(parts), 'survival', 'hazard'] as const;

/** True value of each estimate, over so many tasks that chance no longer matters. */
export function loopTruth(random: Random, p: number): Record<string, number> {
  const sums: Record<string, number> = {};
  let [reached, ended] = [0, 0];
  const draws = 200_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const [cell] = loopTask(random, p, 1).cells as [LoopTask['cells'][number]];
    for (const [name, part] of Object.entries(parts)) sums[name] = (sums[name] ?? 0) + part(cell) / draws;
    sums['survival'] = (sums['survival'] ?? 0) + Number(cell.sustained >= loop) / draws;
    if (cell.sustained >= loop - 1) reached += 1;
    if (cell.sustained === loop - 1) ended += 1;
  }
  return { ...sums, hazard: reached === 0 ? 0 : ended / reached };
}

export function loopIntervals(tasks: readonly LoopTask[]): Record<string, Interval | null> {
  const [row = {}] = aslRows(
    tasks.flatMap(({ cells }, task) => loopRows(task, cells, maxLoops)),
    { maxLoops, judge: 'judge' },
  );
  const named = Object.keys(parts).map(
    (name) => [name, { lo: Number(row[`${name}_lo`]), hi: Number(row[`${name}_hi`]) }] as const,
  );
  // The row's curve extends to the last loop even if no cell gets there.
  const [lo, hi] = ['survival_lo', 'survival_hi'].map(
    (name) => (row[name] as readonly number[])[loop - 1] as number,
  ) as [number, number];
  const step = survivalSteps(tasks.map(({ cells }) => cells.map(durationOf)))[loop - 1];
  return { ...Object.fromEntries(named), survival: { lo, hi }, hazard: step?.hazardInterval ?? null };
}

export const durationOf = ({ sustained }: { readonly sustained: number }): Duration =>
  sustained === maxLoops ? { time: maxLoops, ended: false } : { time: sustained + 1, ended: true };
