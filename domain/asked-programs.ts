/** The programs to run after a step that asked for them. */
import type { ExecuteInput, GenerateInput, StepItem } from '../schemas/steps.ts';

/** The programs in the answers to a step's last question. @param usable cells whose answer contains a program */
export function askedPrograms(asked: GenerateInput, usable: readonly number[]): ExecuteInput {
  const { run, page, step, next = [], samples, items } = asked;
  const withProgram = new Set(usable);
  // A summary ends a loop: the program made from it belongs to the next one.
  const loopsLater = [step, ...next].slice(0, -1).filter((name) => name === 'summarize').length;
  const programs = items
    .filter(([cell]) => withProgram.has(cell))
    .map(([cell, loop]): StepItem => [cell, loop + loopsLater]);
  return { run, page, step: next.at(-1) ?? step, ...(samples !== undefined && { samples }), items: programs };
}
