/** The tasks on which two models differ, the surest first. */
import { type ModelValues, ownValues } from './comparison.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import { fisherExactP } from '../statistics/tests/fisher-exact.ts';
import { difference } from '../statistics/rounding.ts';
import { meansOnBoth } from './open-changes.ts';

export interface TaskFlip {
  readonly taskId: string;
  readonly first: number;
  readonly second: number;
  /** Whether the first model is better on this task. */
  readonly firstIsBetter: boolean;
  /** Judged answers of each model; null if a value is not a share of them, or some prompts count for neither. */
  readonly samples: readonly [number, number] | null;
  /** Fisher's exact test of the two shares, for this task alone; null for a single answer and for other values. */
  readonly p: number | null;
}

export interface FlipSides {
  readonly taskIds: readonly string[];
  /** Null where no answer was judged. */
  readonly first: readonly (number | null)[];
  readonly second: readonly (number | null)[];
  /** By model, then by task; null for a task of which some prompts were not judged of both. */
  readonly samples: readonly [readonly (number | null)[], readonly (number | null)[]] | null;
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
    const n = samples && countsOf(samples[0][task], samples[1][task]);
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

const countsOf = (first: number | null = 0, second: number | null = 0): readonly [number, number] | null =>
  first === null || second === null ? null : [first, second];

const answersOf = ({ samples }: TaskFlip): number => (samples?.[0] ?? 0) + (samples?.[1] ?? 0);

/** Each share is of its own number of answers. */
const fisherOf = ([a, b]: readonly [number, number], [n, m]: readonly [number, number]): number =>
  fisherExactP(Math.round(a * n), n, Math.round(b * m), m);

/** What two of several models have, of the prompts that were judged of both. */
export function flipSides(
  {
    taskIds,
    samples,
    byPrompt,
    ...own
  }: Pick<ModelValues, 'taskIds' | 'values' | 'shown' | 'judged' | 'samples' | 'byPrompt'>,
  [first, second]: readonly [number, number],
): Pick<FlipSides, 'taskIds' | 'first' | 'second' | 'samples'> {
  const means = meansOnBoth({ own: ownValues(own), ...(byPrompt && { byPrompt }) }, [first, second]);
  const isWhole = (task: number): boolean =>
    byPrompt === undefined || (byPrompt[first]?.[task]?.length ?? 0) < 2 || !hasNull(byPrompt, [first, second], task);
  const samplesOf = (model: number) => (samples?.[model] ?? []).map((count, task) => (isWhole(task) ? count : null));
  return {
    taskIds,
    ...{ first: means.map((both) => both?.[0] ?? null), second: means.map((both) => both?.[1] ?? null) },
    samples: samples && [samplesOf(first), samplesOf(second)],
  };
}

const hasNull = (
  byPrompt: NonNullable<ModelValues['byPrompt']>,
  models: readonly [number, number],
  task: number,
): boolean => models.some((model) => byPrompt[model]?.[task]?.includes(null));
