/** An activity that tells how long it took and how it ended. */
import type { RunRef } from '../../schemas/steps.ts';
import type { Observe } from './events.ts';

/** The run, or an object that names it and perhaps a page. */
type Input = RunRef | { readonly run: RunRef; readonly page?: string };

/** @param observe undefined: the activity itself */
export function observedStep<I extends Input>(
  activity: string,
  work: (input: I) => Promise<unknown>,
  observe: Observe | undefined,
): (input: I) => Promise<unknown> {
  if (observe === undefined) return work;
  return async (input) => {
    const startMs = performance.now();
    const ended = (failure: string | null): void => {
      const [{ runId }, page] = 'run' in input ? [input.run, input.page ?? null] : [input, null];
      observe({ kind: 'step', run: runId, page, activity, ms: performance.now() - startMs, failure });
    };
    try {
      const result = await work(input);
      ended(null);
      return result;
    } catch (error) {
      ended(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
