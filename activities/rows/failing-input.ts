/** What a program was given when it failed, for table `executions`. */
import type { Task } from '../../schemas/task.ts';

const mostCharacters = 2_000;

/** The arguments of the failing case as JSON, or its test code; null if no case failed. */
export function failingInput(
  { suites }: Pick<Task, 'suites'>,
  { suite, firstFailingCase }: { readonly suite: string; readonly firstFailingCase: number | null },
): string | null {
  if (firstFailingCase === null) return null;
  const tests = suites.find(({ name }) => name === suite);
  const code = tests?.script?.cases[firstFailingCase];
  const args = tests?.inputs[firstFailingCase];
  if (typeof code === 'string') return cut(code);
  return args === undefined ? null : cut(JSON.stringify(args));
}

const cut = (text: string): string => (text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}...`);
