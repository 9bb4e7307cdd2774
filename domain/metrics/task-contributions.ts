/**
 * What each task adds to a metric over phrasings in two versions: values whose plain means over the tasks are the two
 * AVGs.
 */
import { mean } from '../statistics/spread.ts';
import type { CellPart, TaskPair, TaskParts } from './phrasing-values.ts';

export interface TaskContribution {
  /** Place in the list of tasks. */
  readonly task: number;
  readonly old: number;
  readonly now: number;
}

/** A task without the parts that only one version has. */
export function commonParts({ old, now }: TaskPair): TaskPair {
  const of = (parts: TaskParts, others: TaskParts): TaskParts =>
    parts.map((part, index) => ((others[index] ?? null) === null ? null : part));
  return { old: of(old, now), now: of(now, old) };
}

/**
 * Each task's own mean over the parts that both versions have: what a share is made of, within 0 and `scale`. Its
 * mean over the tasks is the AVG over phrasings where no part is missing, else nearly so. Tasks without a common part
 * are left out.
 */
export function taskMeans(tasks: readonly TaskPair[], scale: number): TaskContribution[] {
  return tasks.map(commonParts).flatMap(({ old, now }, task) => {
    const [before, after] = [old, now].map((parts) =>
      mean(parts.flatMap((part) => part && (scale * part.numerator) / part.denominator).filter(known)),
    );
    return before == null || after == null ? [] : [{ task, old: before, now: after }];
  });
}
const known = (value: number | null): value is number => value !== null;

/**
 * Of a quotient of sums (messages of lines) the linearised contributions of Woodruff (1971): R + n (numerator - R
 * denominator) / sum of the denominators, for each phrasing, and their mean over the phrasings. Their mean is the AVG
 * exactly.
 */
export function linearContributions(tasks: readonly TaskPair[], scale: number): TaskContribution[] {
  const common = tasks.map(commonParts);
  const used = common.flatMap(({ now }, task) => (now.some((part) => part !== null) ? [task] : []));
  const of = (version: keyof TaskPair): number[] =>
    linearised(
      used.map((task) => (common[task] as TaskPair)[version]),
      scale,
    );
  const [old, now] = [of('old'), of('now')];
  return used.map((task, index) => ({ task, old: old[index] as number, now: now[index] as number }));
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

/** One phrasing's; null where nothing counts. */
function columnOf(parts: readonly CellPart[], scale: number): number[] | null {
  const sum = (of: (part: NonNullable<CellPart>) => number): number =>
    parts.reduce((total, part) => total + (part === null ? 0 : of(part)), 0);
  const lines = sum(({ denominator }) => denominator);
  if (lines === 0) return null;
  const quotient = sum(({ numerator }) => numerator) / lines;
  const each = (part: CellPart): number => (part === null ? 0 : part.numerator - quotient * part.denominator);
  return parts.map((part) => scale * (quotient + (parts.length * each(part)) / lines));
}

/**
 * The means over phrasings of the logarithms of a task's times in both versions; tasks without a time above 0 in both
 * are left out.
 */
export function logTimes(tasks: readonly TaskPair[]): TaskContribution[] {
  return tasks.map(commonParts).flatMap(({ old, now }, task) => {
    const pairs = old.flatMap((part, place) => {
      const after = now[place] ?? null;
      return part === null || after === null || !(part.numerator > 0 && after.numerator > 0)
        ? []
        : [[Math.log(part.numerator / part.denominator), Math.log(after.numerator / after.denominator)] as const];
    });
    const [before, after] = [mean(pairs.map(([one]) => one)), mean(pairs.map(([, other]) => other))];
    return before === null || after === null ? [] : [{ task, old: before, now: after }];
  });
}
