/** Steps of a computation at the same time or one after the other, by the size of the run. */
import type { RunDatabase } from '../database.ts';
import { rowsAtATime } from './model-slices.ts';
import { storedRows } from './row-slices.ts';

type Step = <Result>(step: () => Promise<Result>) => Promise<Result>;

/** Small run: all at once, so that queries run during resampling. Large run: in turn, to hold the rows of one step. */
export function stepsOf(database: RunDatabase): Step {
  if (storedRows(database, 'samples') <= rowsAtATime) return (step) => step();
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const own = last.then(step);
    last = own;
    return own;
  };
}
