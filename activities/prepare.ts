/**
 * Runs before any model is asked: references for their outputs, times and ceiling,
 * and mutations for the simulated models.
 */
import { readsKey } from '../domain/spec/provider-facts.ts';
import type { RunRef } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import { referenceKey } from './judging/execution-key.ts';
import { failingMutations } from './calls/failing-mutations.ts';
import { endedByDrain } from './failures.ts';
import type { Heartbeat } from './heartbeat.ts';
import { refuseOtherSandbox } from './judging/planned-sandbox.ts';
import type { ReferenceCache } from './judging/reference-cache.ts';
import { type Bench, establishReference } from './judging/references.ts';
import { notingSlow } from './judging/slow-preparations.ts';
import type { Run } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import { failingMutationsFact } from './calls/simulated-tasks.ts';

export interface PrepareDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly sandbox: () => Promise<Sandbox>;
  readonly references: ReferenceCache;
  readonly drain: AbortSignal;
}

/** A batch of tasks, `start` to `end` (exclusive), in the benchmark's order. */
export interface PrepareInput {
  readonly run: RunRef;
  readonly benchmark: string;
  readonly start: number;
  readonly end: number;
}

export const createPrepare =
  ({ runs, heartbeat, sandbox, references, drain }: PrepareDependencies) =>
  (input: PrepareInput): Promise<void> =>
    heartbeat(async (signal) => {
      const run = await runs.open(input.run);
      const box = await sandbox();
      refuseOtherSandbox(run.sandbox, box);
      const tasks = [...run.tasks(input.benchmark).values()].slice(input.start, input.end);
      await endedByDrain(drain, signal, (either) =>
        Promise.all(tasks.map((task) => prepareTask(run, input, { box, cache: references, signal: either }, task))),
      );
    });

async function prepareTask(
  run: Run,
  { benchmark, run: { epoch } }: PrepareInput,
  bench: Bench,
  task: Task,
): Promise<void> {
  const noting = (suite: string | null, result: string): Bench => ({
    ...bench,
    box: notingSlow(bench.box, run.ledger, epoch, { benchmark, taskId: task.taskId, suite, result }),
  });
  for (const suite of task.suites) {
    await run.checkOwner();
    const key = referenceKey(run.sandbox, task, suite);
    if (await run.ledger.reference(key)) continue;
    await run.ledger.saveReference(await establishReference(noting(suite.name, key), task, suite));
  }
  const simulated = run.spec.models.some((model) => readsKey(model, 'profile'));
  const fact = failingMutationsFact(task);
  if (simulated && (await run.ledger.fact(fact)) === undefined)
    await run.ledger.saveFact(fact, JSON.stringify(await failingMutations(noting(null, fact), task)));
}
