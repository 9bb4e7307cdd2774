/** The changes between every two of several models. */
import { difference } from '../statistics/rounding.ts';

export interface PairChanges {
  readonly first: number;
  readonly second: number;
  /** First minus second, by task. Computed each time: those of 96 models over 3,000 tasks would be 114 MB. */
  readonly changes: readonly number[];
}

/** Empty without tasks. @param size of the terms of a value, as `difference` takes it */
export const pairChanges = (values: readonly (readonly number[])[], size: number): PairChanges[] =>
  (values[0]?.length ?? 0) === 0
    ? []
    : values.flatMap((own, first) =>
        values.slice(first + 1).map((other, next) => ({
          first,
          second: first + 1 + next,
          get changes() {
            return own.map((value, task) => difference(value, other[task] as number, size));
          },
        })),
      );
