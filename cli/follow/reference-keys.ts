/** Where the ledger keeps what the references of a run gave. */
import { referenceKey } from '../../activities/judging/execution-key.ts';
import { plannedTasks } from '../../activities/runs/planned-run.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Manifest } from '../../schemas/manifest.ts';

/** One suite of a task. */
export interface SuiteReference {
  readonly key: string;
  /** False where the suite states its expected values itself, or has no case. */
  readonly givesExpected: boolean;
}

/** By benchmark and task. */
export type ReferenceKeys = ReadonlyMap<string, ReadonlyMap<string, readonly SuiteReference[]>>;

/** Reads the run's tasks. The tasks themselves, which may be large, are not kept. */
export async function referenceKeys(home: RunHome, manifest: Manifest): Promise<ReferenceKeys> {
  const benchmarks = await plannedTasks(home, manifest);
  return new Map(
    [...benchmarks].map(([name, tasks]) => [
      name,
      new Map(
        tasks.map((task) => [
          task.taskId,
          task.suites.map((suite) => ({
            key: referenceKey(manifest.sandbox, task, suite),
            givesExpected: suite.expected === null && suite.inputs.length > 0,
          })),
        ]),
      ),
    ]),
  );
}
