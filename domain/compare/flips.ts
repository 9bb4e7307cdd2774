/** The tasks on which two models differ, the surest first. */
import { type ModelValues, ownValues } from './comparison.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import { fisherExactP } from '../statistics/tests/fisher-exact.ts';
import { difference } from '../statistics/rounding.ts';

export interface TaskFlip {
  readonly taskId: string;
  readonly first: number;
  readonly second: number;
  /** Whether the first model is better on this task. */
  readonly firstIsBetter: boolean;
  /** Judged answers of the first and of the second model; null if a value is not a share of answers. */
  readonly samples: readonly [number, number] | null;
  /** Fisher's exact test of the two shares, for this task alone; null for a single answer and for other values. */
  readonly p: number | null;
}

export interface FlipSides {
  readonly taskIds: readonly string[];
  /** Null where no answer was judged. */
  readonly first: readonly (number | null)[];
  readonly second: readonly (number | null)[];
  /** By model, then by task. */
  readonly samples: readonly [readonly number[], readonly number[]] | null;
  /** The value of a task that passes with every answer. */
  readonly most: number;
  readonly direction: Direction;
}

/**
 * Sorted by p, then by the size of the difference, then by the number of answers. Tasks without a difference are
 * omitted, and those of which no answer of one model was judged.
 */
export function flipsOf({ taskIds, first, second, samples, most, direction }: FlipSides): TaskFlip[] {
  const flips = taskIds.flatMap((taskId, task): TaskFlip[] => {
    const [a = null, b = null] = [first[task], second[task]];
    if (a === null || b === null) return [];
    const change = difference(a, b);
    if (change === 0) return [];
    const n = samples && ([samples[0][task] ?? 0, samples[1][task] ?? 0] as const);
    return [
      {
        taskId,
        first: a,
        second: b,
        firstIsBetter: change > 0 === (direction === 'higher'),
        samples: n,
        p: n === null || Math.max(...n) < 2 ? null : fisherOf([a / most, b / most], n),
      },
    ];
  });
  return flips.toSorted(
    (x, y) =>
      (x.p ?? 1) - (y.p ?? 1) ||
      Math.abs(y.first - y.second) - Math.abs(x.first - x.second) ||
      answersOf(y) - answersOf(x) ||
      (x.taskId < y.taskId ? -1 : 1),
  );
}

const answersOf = ({ samples }: TaskFlip): number => (samples?.[0] ?? 0) + (samples?.[1] ?? 0);

/** Each share is of its own number of answers. */
const fisherOf = ([a, b]: readonly [number, number], [n, m]: readonly [number, number]): number =>
  fisherExactP(Math.round(a * n), n, Math.round(b * m), m);

/** What two of several models have. */
export function flipSides(
  { taskIds, samples, ...own }: Pick<ModelValues, 'taskIds' | 'values' | 'shown' | 'judged' | 'samples'>,
  [first, second]: readonly [number, number],
): Pick<FlipSides, 'taskIds' | 'first' | 'second' | 'samples'> {
  const of = (model: number): readonly (number | null)[] => ownValues(own)[model] ?? [];
  return {
    taskIds,
    ...{ first: of(first), second: of(second) },
    samples: samples && [samples[first] ?? [], samples[second] ?? []],
  };
}
