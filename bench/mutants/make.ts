/** Wrong programs, mostly: distinct mutants of references, by their syntax tree. The same for the same seed and version of Python. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Task } from '../../schemas/task.ts';

export interface Mutant {
  readonly task: string;
  /** What was done to the reference. */
  readonly operator: string;
  readonly source: string;
}

const script = fileURLToPath(new URL('mutants.py', import.meta.url));

/** As near to `count` as the references give, spread evenly over tasks. Needs `python3` (3.9 or later) on this machine; it only parses, nothing runs. */
export function makeMutants(tasks: readonly Pick<Task, 'taskId' | 'entryPoint' | 'reference'>[], count: number, seed: number): Mutant[] {
  const programs = tasks.map(({ taskId, entryPoint, reference }) => ({ task: taskId, entry: entryPoint, source: reference }));
  const output = execFileSync('python3', [script], { input: JSON.stringify({ seed, count, programs }), maxBuffer: 2 ** 30 });
  return output
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Mutant);
}
