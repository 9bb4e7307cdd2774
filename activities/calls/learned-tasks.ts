/** Tasks of a simulated model whose wrong answers are found while it already answers. */
import pLimit from 'p-limit';
import type { Task } from '../../schemas/task.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { NotKnownYet } from '../../simulator/not-known-yet.ts';
import { failingMutations } from './failing-mutations.ts';
import type { Bench } from '../judging/references.ts';
import { simulatedTask } from './simulated-tasks.ts';

export interface LearnedTasks {
  /** A task's `wrong` throws `NotKnownYet` until its mutations were run; reading it lets them run next. */
  readonly tasks: readonly SimulatedTask[];
  /** Resolves when all are known. Rejects if the sandbox fails. */
  readonly all: Promise<void>;
}

/**
 * Runs the mutations of all tasks in order, as many at a time as the sandbox runs programs, and those that a question
 * needs at once.
 * @param onKnown called after each task with the number of tasks that are known
 */
export function learnTasks(tasks: readonly Task[], bench: Bench, onKnown: (known: number) => void): LearnedTasks {
  const inOrder = pLimit(bench.box.concurrency);
  let known = 0;
  const learning = tasks.map((task) => {
    const find = once(async () => {
      const found = simulatedTask(task, await failingMutations(bench, task)).wrong;
      known += 1;
      onKnown(known);
      return found;
    });
    return { find, task: lazily(task, find) };
  });
  const all = Promise.all(learning.map(({ find }) => inOrder(find))).then(() => undefined);
  return { tasks: learning.map(({ task }) => task), all };
}

function lazily(task: Task, find: () => Promise<readonly string[]>): SimulatedTask {
  let wrong: readonly string[] | undefined;
  return {
    ...simulatedTask(task, []),
    get wrong() {
      if (wrong !== undefined) return wrong;
      throw new NotKnownYet(
        `what fails on ${task.taskId}`,
        find().then((found) => (wrong = found)),
      );
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
