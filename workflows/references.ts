/** Runs the references of a benchmark's tasks, in batches. After many it continues with a new history. */
import { continueAsNew } from '@temporalio/workflow';
import type { ReferencesInput, RunRef, SweepPlan } from '../schemas/steps.ts';
import { sandbox } from './activities.ts';
import { below } from './below-sweep.ts';
import { inOrder } from './in-order.ts';

/** Tasks whose references are run in one step. */
const batchTasks = 32;
const batchesInFlight = 4;
/** A batch takes six events. */
const batchesPerTurn = 256;
/** Up to so many tasks the sweep runs the references itself. */
const fewTasks = 512;

export async function runReferences(run: RunRef, benchmarks: SweepPlan['references']): Promise<void> {
  if (benchmarks.reduce((sum, { tasks }) => sum + tasks, 0) <= fewTasks) {
    const batches = benchmarks.flatMap((one) => batchesOf({ run, ...one }));
    await inOrder(batchesInFlight, batches, sandbox().prepare);
    return;
  }
  await inOrder(1, benchmarks, ({ benchmark, tasks }) =>
    below<void>('references', `references of ${benchmark}`, { run, benchmark, tasks }, null),
  );
}

export async function references(input: ReferencesInput): Promise<void> {
  const batches = batchesOf(input).slice(0, batchesPerTurn);
  await inOrder(batchesInFlight, batches, sandbox().prepare);
  const done = batches.at(-1)?.end ?? input.tasks;
  if (done < input.tasks) await continueAsNew<typeof references>({ ...input, done });
}

function batchesOf({ run, benchmark, tasks, done = 0 }: ReferencesInput) {
  return Array.from({ length: Math.ceil((tasks - done) / batchTasks) }, (_, batch) => {
    const start = done + batch * batchTasks;
    return { run, benchmark, start, end: Math.min(tasks, start + batchTasks) };
  });
}
