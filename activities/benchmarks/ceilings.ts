/** Results of the references on their own tests: the highest pass rate that a model can reach on each suite. */
import type { Outcome } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import { type Bench, establishReference } from '../judging/references.ts';

export interface Ceiling {
  readonly suite: string;
  readonly tasks: number;
  readonly passes: number;
  /** In the tasks' order. */
  readonly failing: readonly FailingReference[];
}

export interface FailingReference {
  readonly taskId: string;
  readonly outcome: Outcome;
  /** From 0; null when the reference failed before the first case. */
  readonly firstFailingCase: number | null;
}

/** Runs the references that this machine has no result for. Calls `onTask` after each task. */
export async function measureCeilings(bench: Bench, tasks: readonly Task[], onTask: () => void): Promise<Ceiling[]> {
  const results = await Promise.all(
    tasks.map(async (task) => {
      const references = await Promise.all(task.suites.map((suite) => establishReference(bench, task, suite)));
      onTask();
      return task.suites.map(({ name }, index) => ({ suite: name, taskId: task.taskId, reference: references[index] }));
    }),
  );
  return [...Map.groupBy(results.flat(), ({ suite }) => suite)].map(([suite, rows]) => {
    const failing = rows.flatMap(({ taskId, reference }) =>
      reference === undefined || reference.outcome === 'pass'
        ? []
        : [{ taskId, outcome: reference.outcome, firstFailingCase: reference.firstFailingCase }],
    );
    return { suite, tasks: rows.length, passes: rows.length - failing.length, failing };
  });
}
