/** Benchmarks for measurements, with the results of their references in a sandbox. */
import { join } from 'node:path';
import { type BenchmarkRequest, loadBenchmark } from '../../activities/benchmarks/load.ts';
import { createReferenceCache } from '../../activities/judging/reference-cache.ts';
import { establishReference } from '../../activities/judging/references.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { ReferenceRecord } from '../../activities/storage/ledger/records.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';

export interface Subject {
  readonly task: Task;
  readonly suite: Suite;
  readonly reference: ReferenceRecord;
}

export async function loadTasks(format: BenchmarkRequest['format'], path: string): Promise<readonly Task[]> {
  return (await loadBenchmark({ name: format, format, path, seed: 0 })).tasks;
}

/** The chosen suites of each task; all if no name is given. */
export async function subjectsOf(
  box: Sandbox,
  tasks: readonly Task[],
  suiteNames: readonly string[] = [],
): Promise<Subject[]> {
  const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
  const pairs = tasks.flatMap((task) =>
    task.suites
      .filter(({ name }) => suiteNames.length === 0 || suiteNames.includes(name))
      .map((suite) => ({ task, suite })),
  );
  return await Promise.all(
    pairs.map(async ({ task, suite }) => ({
      task,
      suite,
      reference: await establishReference({ box, cache }, task, suite),
    })),
  );
}
