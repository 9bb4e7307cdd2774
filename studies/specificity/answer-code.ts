/** The code in an answer to a prompt of the poset. */
import { codeOf } from '../code-of.ts';
import type { Answer, CellState, Extracted } from '../study.ts';
import { frameOf } from './make-set.ts';

/** A body alone completes the signature, also where the benchmark's own prompt has none. */
export const codeIn = (state: CellState, answer: Answer): Extracted =>
  codeOf({ ...state, task: { ...state.task, prompt: frameOf(state.task).original } }, answer);
