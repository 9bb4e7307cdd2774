/** Extracts the code from an answer to a prompt of the poset. */
import { lastDefining } from '../../domain/extraction/rules/last-defining.ts';
import type { Task } from '../../schemas/task.ts';
import { codeBy, codeFor } from '../code-of.ts';
import type { Answer, CellState, Extracted } from '../cell-state.ts';
import { frameOf } from './make-set.ts';
import { makingSetting, type SpecificityStudy } from './settings.ts';

/**
 * A function body is completed with the signature, even if the benchmark's own prompt has none. The checker's program
 * is always extracted with the same rule, because runs share the prompts that it accepts.
 */
export function codeIn(study: SpecificityStudy, { cell, task }: CellState, answer: Answer): Extracted {
  const framed: Task = { ...task, prompt: frameOf(task).original };
  return cell.setting === makingSetting && answer.reply.extracted !== true
    ? codeBy(lastDefining, framed, answer.reply)
    : codeFor(study, framed, answer);
}
