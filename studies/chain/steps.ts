/** Places in a chain's course, and whose tests hold there. */
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { At, CellState } from '../study.ts';

export type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

/** The place of step `loop` of the chain, from 1. */
export const translated = (loop: number): At => ({ step: 'translate', loop, ask: 0, sample: 0 });

/** Step 0 is the start. */
export function taskAt({ settings: { through } }: ChainStudy, state: CellState, step: number): Task {
  const benchmark = through[step - 1];
  return benchmark === undefined ? state.task : state.taskIn(benchmark);
}
