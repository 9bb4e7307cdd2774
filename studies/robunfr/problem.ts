/** A task's problem in RobuNFR's form: code to complete. */
import { boundNames, definesName, statementsOf } from '../../domain/extraction/statements.ts';
import type { Task } from '../../schemas/task.ts';

const known = new WeakMap<Task, string>();

/**
 * The benchmark's prompt if it defines the function, else the `def` line of its reference with the prompt as docstring
 * (needed for MBPP).
 */
export function problemOf(task: Task): string {
  const problem = known.get(task) ?? (definesName(task.prompt, task.entryPoint) ? task.prompt : withSignature(task));
  known.set(task, problem);
  return problem;
}

/** Whether prompt or reference has a signature for the problem. */
export const hasProblem = (task: Task): boolean =>
  definesName(task.prompt, task.entryPoint) || definitionOf(task) !== undefined;

function withSignature(task: Task): string {
  const definition = definitionOf(task);
  if (definition === undefined)
    throw new Error(`${task.taskId}: neither prompt nor reference defines ${task.entryPoint}`);
  return `${signatureOf(definition)}\n${docstring(task.prompt)}\n`;
}

function definitionOf({ reference, entryPoint }: Task): string | undefined {
  const found = statementsOf(reference).find(
    (one) => /^(?:async\s+)?def\b/.test(one.head) && boundNames(one).includes(entryPoint),
  );
  return found?.text.slice(found.text.indexOf(found.head));
}

/** From `def` to the colon that ends the signature, which may be on a later line. */
function signatureOf(definition: string): string {
  let depth = 0;
  for (const { 0: sign, index } of definition.matchAll(stringOrSign)) {
    if ('([{'.includes(sign)) depth += 1;
    if (')]}'.includes(sign)) depth -= 1;
    if (sign === ':' && depth === 0) return definition.slice(0, index + 1);
  }
  return definition;
}

const stringOrSign = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{}:]/g;

/** Removes quotes around the prompt; uses a raw docstring if it holds backslashes. */
function docstring(prompt: string): string {
  const [, , inner] = /^\s*("""|''')([\s\S]*)\1\s*$/.exec(prompt) ?? [null, null, prompt];
  const text = inner.trim();
  const quote = text.includes('"""') ? "'''" : '"""';
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : `    ${line.trimEnd()}`));
  return [`    ${text.includes('\\') ? 'r' : ''}${quote}`, ...lines, `    ${quote}`].join('\n');
}
