/** What a simulated model knows of a benchmark: references, and mutations of them that were seen to fail. */
import type { Task } from '../schemas/task.ts';
import type { SimulatedTask } from '../simulator/model.ts';
import type { Ledger } from './storage/ledger.ts';

/** Name of the ledger fact that lists a task's mutations which were run and failed. */
export const failingMutationsFact = (task: Task): string => `failing-mutations/${task.recordSha256}`;

/** Fails on every suite, whatever it expects: what is left when no mutation of a reference was seen to fail. */
const raisingProgram = (task: Task): string => `def ${task.entryPoint}(*args, **kwargs):\n    raise NotImplementedError\n`;

export const simulatedTask = (task: Task, failing: readonly string[]): SimulatedTask => ({
  taskId: task.taskId,
  entryPoint: task.entryPoint,
  description: task.prompt,
  reference: task.reference,
  wrong: failing.length > 0 ? [...failing] : [raisingProgram(task)],
});

export const simulatedTasks = (tasks: readonly Task[], ledger: Pick<Ledger, 'fact'>): SimulatedTask[] =>
  tasks.map((task) => simulatedTask(task, JSON.parse(ledger.fact(failingMutationsFact(task)) ?? '[]') as string[]));
