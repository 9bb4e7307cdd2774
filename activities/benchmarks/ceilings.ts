/** Results of the references on their own tests: the highest pass rate that a model can reach on each suite. */
import type { Outcome } from '../../schemas/states.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { type Bench, establishReference } from '../judging/references.ts';
import { judgedCases } from '../judging/suite-cases.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';

export interface Ceiling {
  readonly suite: string;
  readonly tasks: number;
  readonly passes: number;
  /** In the tasks' order. */
  readonly failing: readonly FailingReference[];
  /** Tasks of which only some cases count, also in the tasks' order. */
  readonly partlyJudged: readonly PartlyJudged[];
}

/** The reference gives no output for the last cases of the suite, and nothing else says what is expected in them. */
export interface PartlyJudged {
  readonly taskId: string;
  readonly cases: number;
  /** Cases with an expected value: at least one, and not all. */
  readonly judgedCases: number;
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
      return task.suites.map((suite, index) => ({ taskId: task.taskId, suite, reference: references[index] }));
    }),
  );
  return [...Map.groupBy(results.flat(), ({ suite }) => suite.name)].map(([suite, rows]) => {
    const failing = rows.flatMap(({ taskId, reference }) =>
      reference === undefined || reference.outcome === 'pass'
        ? []
        : [{ taskId, outcome: reference.outcome, firstFailingCase: reference.firstFailingCase }],
    );
    const partlyJudged = rows.flatMap(partlyJudgedOf);
    return { suite, tasks: rows.length, passes: rows.length - failing.length, failing, partlyJudged };
  });
}

interface Checked {
  readonly taskId: string;
  readonly suite: Suite;
  readonly reference: ReferenceRecord | undefined;
}

function partlyJudgedOf({ taskId, suite, reference }: Checked): PartlyJudged[] {
  const cases = suite.inputs.length;
  const judged = reference === undefined ? 0 : judgedCases(suite, reference);
  return judged === 0 || judged === cases ? [] : [{ taskId, cases, judgedCases: judged }];
}
