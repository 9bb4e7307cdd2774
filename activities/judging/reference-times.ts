/** Times of references on this machine, from its cache; a task's programs may take as long. */
import type { Task } from '../../schemas/task.ts';
import { referenceKey, type SandboxIdentity } from './execution-key.ts';
import type { ReferenceCache } from './reference-cache.ts';
import { type Bench, establishReference } from './references.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';

/** A program is slow if its reference takes at least this long on a suite. */
export const slowReferenceMs = 1_000;

export interface ReferenceTime {
  /** Over all suites of the task that were measured. */
  readonly ms: number;
  /** Number of suites not measured. */
  readonly unknown: number;
}

/** By task id. */
export type ReferenceTimes = ReadonlyMap<string, ReferenceTime>;

/** Time of the reference on one suite, all cases together. */
export const referenceMs = ({ caseMs }: Pick<ReferenceRecord, 'caseMs'>): number =>
  caseMs.reduce((sum, ms) => sum + ms, 0);

/** Reads the cache only; runs nothing. */
export const knownReferenceTimes = (
  cache: Pick<ReferenceCache, 'get'>,
  sandbox: Pick<SandboxIdentity, 'imageDigest'>,
  tasks: readonly Task[],
): Promise<ReferenceTimes> => timesOf(tasks, (task, suite) => cache.get(referenceKey(sandbox, task, suite)));

/** Runs the references that this machine has no result for. Calls `onTask` after each task. */
export const measuredReferenceTimes = (
  bench: Bench,
  tasks: readonly Task[],
  onTask: () => void,
): Promise<ReferenceTimes> => timesOf(tasks, (task, suite) => establishReference(bench, task, suite), onTask);

async function timesOf(
  tasks: readonly Task[],
  recordOf: (task: Task, suite: Task['suites'][number]) => Promise<ReferenceRecord | undefined>,
  onTask = (): void => {},
): Promise<ReferenceTimes> {
  const entries = await Promise.all(
    tasks.map(async (task) => {
      const records = await Promise.all(task.suites.map((suite) => recordOf(task, suite)));
      onTask();
      const known = records.flatMap((record) => record ?? []);
      return [task.taskId, { ms: sum(known.map(referenceMs)), unknown: records.length - known.length }] as const;
    }),
  );
  return new Map(entries);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
