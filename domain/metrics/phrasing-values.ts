/**
 * A metric over phrasings: each phrasing has one value over all tasks (a share, a density, a mean time), and AVG and
 * STDEV are over the phrasings. All metrics have the same form: a cell adds a numerator and a denominator, and a value
 * is `scale` times the quotient of their sums.
 */
import { mean, standardDeviation } from '../statistics/spread.ts';

/** One solution's part in a metric: passed / 1, messages / LOC, milliseconds / 1. Null: it does not count. */
export type CellPart = { readonly numerator: number; readonly denominator: number } | null;

/** A task's parts, one for each phrasing, in the same order for every task. */
export type TaskParts = readonly CellPart[];

export interface PhrasingSpread {
  /** One value for each phrasing; null if nothing counts. */
  readonly values: readonly (number | null)[];
  /** AVG over the phrasings that have a value. */
  readonly mean: number | null;
  /** STDEV over them, n - 1; null if fewer than two have a value. */
  readonly stdev: number | null;
  /** Parts that count, and parts that do not. */
  readonly n: number;
  readonly nExcluded: number;
}

/** @param scale 100 for a percentage, 10 for a density per ten lines, 1 for a time */
export function phrasingSpread(tasks: readonly TaskParts[], scale: number): PhrasingSpread {
  const values = quotients(packedSums(tasks.map(packed)), scale);
  const counted = defined(values);
  const parts = tasks.flat();
  const n = parts.filter((part) => part !== null).length;
  return { values, mean: mean(counted), stdev: standardDeviation(counted), n, nExcluded: parts.length - n };
}

/** A task's parts in both versions, in the same order of phrasings. */
export interface TaskPair {
  readonly old: TaskParts;
  readonly now: TaskParts;
}

/** Numerator and denominator of each phrasing in turn; two zeros if it has no part. */
const packed = (parts: TaskParts): number[] => parts.flatMap((part) => [part?.numerator ?? 0, part?.denominator ?? 0]);

function packedSums(tasks: readonly ArrayLike<number>[]): Float64Array {
  const sums = new Float64Array(tasks[0]?.length ?? 0);
  for (const task of tasks) {
    for (let place = 0; place < sums.length; place += 1)
      sums[place] = (sums[place] as number) + (task[place] as number);
  }
  return sums;
}

function quotients(sums: Float64Array, scale: number): (number | null)[] {
  return Array.from({ length: sums.length / 2 }, (_, phrasing) => {
    const denominator = sums[2 * phrasing + 1] as number;
    return denominator === 0 ? null : (scale * (sums[2 * phrasing] as number)) / denominator;
  });
}

const defined = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
