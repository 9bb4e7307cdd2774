/** The tasks on which two models differ, the surest first. */
import type { Direction } from '../statistics/tests/version-verdict.ts';
import { fisherExactP } from '../statistics/tests/fisher-exact.ts';
import { difference } from '../statistics/rounding.ts';

export interface TaskFlip {
  readonly taskId: string;
  readonly first: number;
  readonly second: number;
  /** Whether the first model is better on this task. */
  readonly firstIsBetter: boolean;
  /** Answers of each model; null if a value is no share of answers. */
  readonly samples: number | null;
  /** Fisher's exact test of the two shares, for this task alone; null for a single answer and for other values. */
  readonly p: number | null;
}

export interface FlipSides {
  readonly taskIds: readonly string[];
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly samples: readonly number[] | null;
  /** The value of a task that passes with every answer. */
  readonly most: number;
  readonly direction: Direction;
}

/**
 * Sorted by p, then by the size of the difference, then by the number of answers. Tasks without a difference are
 * omitted.
 */
export function flipsOf({ taskIds, first, second, samples, most, direction }: FlipSides): TaskFlip[] {
  const flips = taskIds.flatMap((taskId, task): TaskFlip[] => {
    const [a, b] = [first[task] as number, second[task] as number];
    const change = difference(a, b);
    if (change === 0) return [];
    const n = samples?.[task] ?? null;
    return [
      {
        taskId,
        first: a,
        second: b,
        firstIsBetter: change > 0 === (direction === 'higher'),
        samples: n,
        p: n === null || n < 2 ? null : fisherExactP(Math.round((a / most) * n), n, Math.round((b / most) * n), n),
      },
    ];
  });
  return flips.toSorted(
    (x, y) =>
      (x.p ?? 1) - (y.p ?? 1) ||
      Math.abs(y.first - y.second) - Math.abs(x.first - x.second) ||
      (y.samples ?? 0) - (x.samples ?? 0) ||
      (x.taskId < y.taskId ? -1 : 1),
  );
}
