/** The steps of a chain, and the task whose tests apply at each. */
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { At, CellState } from '../cell-state.ts';

export type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

/** The answer to step `loop` of the chain, from 1. */
export const translated = (loop: number): At => ({ step: 'translate', loop, ask: 0, sample: 0 });

/** The task in the language of a step; step 0 is the reference. */
export function taskAt({ settings: { through } }: ChainStudy, state: CellState, step: number): Task {
  const benchmark = through[step - 1];
  return benchmark === undefined ? state.task : state.taskIn(benchmark);
}

/** Whether a step of the chain passed all its tests. */
export const hasPassed = (state: CellState, step: number): boolean =>
  step > 0 && state.outcomes(translated(step))?.every(({ outcome }) => outcome === 'pass') === true;
