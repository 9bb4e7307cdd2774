/** Tasks that are not compared: their records, or the suites that judge them, differ between runs, or cannot judge. */
import type { RunDatabase } from '../../analysis/database.ts';
import { allTasks, type TasksBySuite, tasksWithoutReference } from '../../analysis/answers/without-reference.ts';
import { records } from '../../analysis/records.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { isSameRecord, taskRecords } from './task-records.ts';

export interface ChangedTasks {
  /**
   * Ids of tasks whose record or judging suites differ, or on which a suite can judge nobody: measures of whole
   * programs are not compared on them.
   */
  readonly changed: ReadonlySet<string>;
  /** Of these, tasks whose record differs; on the others a suite that all runs have is compared. */
  readonly changedRecords: ReadonlySet<string>;
  /** Measures of one suite are not compared on the tasks that it can judge nobody on. */
  readonly withoutReference: TasksBySuite;
}

/** Ids of tasks of the second run that are new or whose prompt or tests have changed since the first. */
export async function changedTaskIds(
  database: RunDatabase,
  old: Manifest,
  now: Manifest,
  benchmark: string,
): Promise<Set<string>> {
  if (old === now) return new Set();
  const recordsOf = await taskRecords(database);
  const [before, after] = [recordsOf(old.runId, benchmark), recordsOf(now.runId, benchmark)];
  return new Set([...after].flatMap(([task, own]) => (isSameRecord(before.get(task), own) ? [] : [task])));
}

/** The same tasks under other suites. */
export interface OtherSuites {
  readonly taskIds: readonly string[];
  /** The suites' names by run, in the order of the runs. */
  readonly suites: readonly (readonly string[])[];
}

/** Tasks that several of the runs have and judge by different suites, one entry for each way in which they differ. */
export async function otherSuites(
  database: RunDatabase,
  manifests: readonly Manifest[],
  benchmark: string,
): Promise<OtherSuites[]> {
  if (new Set(manifests).size < 2) return [];
  const rows = await records(database, 'select distinct run, benchmark, task_id, suite from suites order by all');
  const byTask = Map.groupBy(
    rows.filter((row) => row['benchmark'] === benchmark),
    (row) => textOf(row, 'task_id'),
  );
  const ways = new Map<string, string[]>();
  for (const [task, own] of byTask) {
    const suites = manifests.map(({ runId }) =>
      own.filter((row) => row['run'] === runId).map((row) => textOf(row, 'suite')),
    );
    const known = new Set(suites.filter(({ length }) => length > 0).map((names) => JSON.stringify(names)));
    if (known.size > 1) ways.set(JSON.stringify(suites), [...(ways.get(JSON.stringify(suites)) ?? []), task]);
  }
  return [...ways].map(([suites, taskIds]) => ({ taskIds, suites: JSON.parse(suites) as string[][] }));
}

/** The tasks that are not the same in all runs, compared with the first one, or, of two, both ways; and the others. */
export async function tasksChanged(
  database: RunDatabase,
  manifests: readonly Manifest[],
  benchmark: string,
  bothWays = false,
): Promise<ChangedTasks> {
  const [first, ...others] = [...new Set(manifests)];
  const changedRecords = new Set<string>();
  if (first !== undefined)
    for (const other of others)
      for (const [from, to] of bothWays
        ? ([
            [first, other],
            [other, first],
          ] as const)
        : ([[first, other]] as const))
        for (const task of await changedTaskIds(database, from, to, benchmark)) changedRecords.add(task);
  const suites = await otherSuites(database, manifests, benchmark);
  const runIds = manifests.map(({ runId }) => runId);
  const withoutReference = await tasksWithoutReference(database, [...new Set(runIds)], benchmark);
  const underOthers = new Set(suites.flatMap(({ taskIds }) => taskIds));
  return {
    ...{ changedRecords, withoutReference },
    changed: changedRecords.union(underOthers).union(allTasks(withoutReference)),
  };
}
