/** Tasks that are not compared: their records, or the suites that judge them, differ between runs, or cannot judge. */
import type { RunDatabase } from '../../analysis/database.ts';
import { allTasks, type TasksBySuite, tasksWithoutReference } from '../../analysis/answers/without-reference.ts';
import { records } from '../../analysis/records.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { isSameTask, taskRecords, type TaskRecords } from './task-records.ts';

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

/**
 * The name that a run has for a benchmark of these runs: that of its study of the same name.
 * @param benchmark its name in one of them
 */
function nameIn({ spec }: Manifest, runs: readonly Manifest[], benchmark: string): string {
  if (spec.studies.some((study) => study.benchmark === benchmark)) return benchmark;
  const studies = new Set(
    runs.flatMap((run) => run.spec.studies.flatMap((study) => (study.benchmark === benchmark ? [study.name] : []))),
  );
  return spec.studies.find(({ name }) => studies.has(name))?.benchmark ?? benchmark;
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
  return new Set(notIn(recordsOf(old.runId, nameIn(old, [now], benchmark)), recordsOf(now.runId, benchmark)));
}

const notIn = (before: TaskRecords, after: TaskRecords): string[] =>
  [...after].flatMap(([task, own]) => (isSameTask(before.get(task), own) ? [] : [task]));

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
  const names = new Map(manifests.map((run) => [run.runId, nameIn(run, manifests, benchmark)]));
  const byTask = Map.groupBy(
    rows.filter((row) => row['benchmark'] === names.get(textOf(row, 'run'))),
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
  const runs = [...new Set(manifests)];
  const changedRecords = runs.length < 2 ? new Set<string>() : await changedIn(database, runs, benchmark, bothWays);
  const suites = await otherSuites(database, manifests, benchmark);
  const withoutReference = await withoutReferenceIn(database, manifests, benchmark);
  const underOthers = new Set(suites.flatMap(({ taskIds }) => taskIds));
  return {
    ...{ changedRecords, withoutReference },
    changed: changedRecords.union(underOthers).union(allTasks(withoutReference)),
  };
}

async function withoutReferenceIn(
  database: RunDatabase,
  manifests: readonly Manifest[],
  benchmark: string,
): Promise<TasksBySuite> {
  const byName = Map.groupBy(new Set(manifests), (run) => nameIn(run, manifests, benchmark));
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, runs] of byName) {
    const runIds = runs.map(({ runId }) => runId);
    for (const [suite, tasks] of await tasksWithoutReference(database, runIds, name))
      found.set(suite, tasks.union(found.get(suite) ?? new Set()));
  }
  return found;
}

async function changedIn(
  database: RunDatabase,
  runs: readonly Manifest[],
  benchmark: string,
  bothWays: boolean,
): Promise<Set<string>> {
  const recordsOf = await taskRecords(database);
  const own = runs.map((run) => recordsOf(run.runId, nameIn(run, runs, benchmark)));
  const [first, ...others] = own as [TaskRecords, ...TaskRecords[]];
  return new Set(
    others.flatMap((other, place) => [
      ...notIn(first, other),
      ...(bothWays ? notIn(other, first) : []),
      // The first one may lack a suite that differs between two others.
      ...others.slice(place + 1).flatMap((later) => notIn(other, later).filter((task) => other.has(task))),
    ]),
  );
}
