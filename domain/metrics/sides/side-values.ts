/**
 * Each task's value of a metric on several sides (models, versions, runs), from the parts that all sides have. A metric
 * is `scale` times the quotient of sums of numerators and denominators, over tasks.
 */
import { mean } from '../../statistics/spread.ts';
import { withDraws } from './draws.ts';
import type { CellPart, TaskParts } from '../phrasing-values.ts';

/** A task's parts on each side, all in the same order of phrasings. */
export type SideParts = readonly TaskParts[];

/** Quotients of sums of numerators and denominators over tasks, times `scale`. */
export interface Quotients {
  readonly scale: number;
  /** By side, then by task; all sides have the same parts. */
  readonly parts: readonly (readonly TaskParts[])[];
}

export interface SideValues {
  /** Index of each task in the list of tasks: those without a common part are omitted. */
  readonly tasks: readonly number[];
  /** By side, then in the order of `tasks`. */
  readonly values: readonly (readonly number[])[];
  /** The same for people: what each task has by itself, where `values` has its part in an estimate; absent if equal. */
  readonly shown?: readonly (readonly number[])[];
  /** What quotients of sums are made of; absent for other values. */
  readonly quotients?: Quotients;
  /** Number of parts behind each value, by side, then in the order of `tasks`: common ones, or a side's own draws. */
  readonly samples: readonly (readonly number[])[];
}

/** Removes parts that some side lacks. */
export function sharedParts(sides: SideParts): SideParts {
  const places = Math.max(0, ...sides.map((parts) => parts.length));
  const isShared = Array.from({ length: places }, (_, place) =>
    sides.every((parts) => (parts[place] ?? null) !== null),
  );
  return sides.map((parts) => parts.map((part, place) => (isShared[place] ? part : null)));
}

/**
 * For a share: each task's mean over its common parts, from 0 to `scale`.
 * @param prompts by place: parts of the same prompt are draws, of which each side may have others; default: none are
 */
export function meanValues(tasks: readonly SideParts[], scale: number, prompts?: readonly string[]): SideValues {
  const share = ({ numerator, denominator }: NonNullable<CellPart>): number => (scale * numerator) / denominator;
  if (prompts === undefined) return valuesOf(tasks, share);
  const found = valuesOf(
    tasks.map((sides) => withDraws(sides, prompts)),
    share,
  );
  return { ...found, samples: judgedCounts(found.tasks.map((task) => tasks[task] ?? [])) };
}

/** By side, then by task: the parts that count. */
export const judgedCounts = (tasks: readonly SideParts[]): number[][] =>
  (tasks[0] ?? []).map((_, side) => tasks.map((sides) => (sides[side] ?? []).filter((part) => part !== null).length));

/** Means over the common parts of the logarithms of times; a time that is not above 0 on some side does not count. */
export const logTimeValues = (tasks: readonly SideParts[]): SideValues =>
  valuesOf(
    tasks.map((sides) => sides.map((parts) => parts.map(positive))),
    ({ numerator, denominator }) => Math.log(numerator / denominator),
  );

const positive = (part: CellPart): CellPart => (part !== null && part.numerator > 0 ? part : null);

function valuesOf(tasks: readonly SideParts[], partValue: (part: NonNullable<CellPart>) => number): SideValues {
  const common = tasks.map(sharedParts);
  const used = common.flatMap((sides, task) => (hasPart(sides) ? [task] : []));
  const sideCount = tasks[0]?.length ?? 0;
  const partsOf = (side: number, task: number): NonNullable<CellPart>[] =>
    (common[task]?.[side] ?? []).filter((part) => part !== null);
  return {
    tasks: used,
    values: Array.from({ length: sideCount }, (_, side) =>
      used.map((task) => mean(partsOf(side, task).map(partValue)) as number),
    ),
    samples: judgedCounts(used.map((task) => common[task] ?? [])),
  };
}

const hasPart = (sides: SideParts): boolean => sides[0]?.some((part) => part !== null) ?? false;

/**
 * For a quotient of sums (messages / lines): the linearised contributions of Woodruff (1971),
 * R + n (numerator - R denominator) / sum of the denominators, for each phrasing, averaged over the phrasings. Their
 * mean is exactly the AVG. They depend on all tasks of the side, so what is shown of a task is its own quotient.
 */
export function linearValues(tasks: readonly SideParts[], scale: number): SideValues {
  const common = tasks.map(sharedParts);
  const used = common.flatMap((sides, task) => (hasPart(sides) ? [task] : []));
  const sideCount = tasks[0]?.length ?? 0;
  const parts = Array.from({ length: sideCount }, (_, side) => used.map((task) => common[task]?.[side] ?? []));
  return {
    tasks: used,
    values: parts.map((own) => linearised(own, scale)),
    shown: parts.map((own) => own.map((one) => quotientOf(one, scale))),
    quotients: { scale, parts },
    samples: judgedCounts(used.map((task) => common[task] ?? [])),
  };
}

/** A task's total over its total of denominators, over all phrasings; a part that counts has a denominator above 0. */
function quotientOf(parts: TaskParts, scale: number): number {
  const counted = parts.filter((part) => part !== null);
  const sum = (of: (part: NonNullable<CellPart>) => number): number =>
    counted.reduce((total, part) => total + of(part), 0);
  return (scale * sum(({ numerator }) => numerator)) / sum(({ denominator }) => denominator);
}

function linearised(tasks: readonly TaskParts[], scale: number): number[] {
  const places = tasks[0]?.length ?? 0;
  const columns = Array.from({ length: places }, (_, place) =>
    columnOf(
      tasks.map((parts) => parts[place] ?? null),
      scale,
    ),
  ).filter((column) => column !== null);
  return tasks.map((_, task) => mean(columns.map((column) => column[task] as number)) as number);
}

/** The contributions for one phrasing; null if nothing counts. */
function columnOf(parts: readonly CellPart[], scale: number): number[] | null {
  const sum = (of: (part: NonNullable<CellPart>) => number): number =>
    parts.reduce((total, part) => total + (part === null ? 0 : of(part)), 0);
  const lines = sum(({ denominator }) => denominator);
  if (lines === 0) return null;
  const quotient = sum(({ numerator }) => numerator) / lines;
  const each = (part: CellPart): number => (part === null ? 0 : part.numerator - quotient * part.denominator);
  return parts.map((part) => scale * (quotient + (parts.length * each(part)) / lines));
}
