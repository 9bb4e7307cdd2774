/**
 * Mostly wrong programs: distinct mutants of references, made on their syntax trees.
 * Equal for equal seeds and versions of Python.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Task } from '../../schemas/task.ts';

export interface Mutant {
  readonly task: string;
  /** The change to the reference. */
  readonly operator: string;
  readonly source: string;
}

const script = fileURLToPath(new URL('mutants.py', import.meta.url));

/**
 * `count` mutants, or as many as the references allow, spread evenly over tasks. Needs `python3` (3.9 or later), which
 * only parses the programs.
 */
export function makeMutants(
  tasks: readonly Pick<Task, 'taskId' | 'entryPoint' | 'reference'>[],
  count: number,
  seed: number,
): Mutant[] {
  const programs = tasks.map(({ taskId, entryPoint, reference }) => ({
    task: taskId,
    entry: entryPoint,
    source: reference,
  }));
  const output = execFileSync('python3', [script], {
    input: JSON.stringify({ seed, count, programs }),
    maxBuffer: 2 ** 30,
  });
  return output
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Mutant);
}
