/** Records of the tasks of runs, by their hashes. */
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** A task of a run. Hashes that an early version did not write are null. */
export interface TaskRecord {
  /** Of the whole record with all suites of its file: as judged, and without the judging rule. */
  readonly whole: readonly string[];
  /** Of everything but the suites. */
  readonly problem: string | null;
  /** Of the tests of the suites that judge it, by name. */
  readonly suites: ReadonlyMap<string, string | null>;
}

/** Of one run and benchmark, by task. */
export type TaskRecords = ReadonlyMap<string, TaskRecord>;

/** The records of any run and benchmark, in the order of their tasks. */
export async function taskRecords(database: RunDatabase): Promise<(run: string, benchmark: string) => TaskRecords> {
  const tasks = await records(
    database,
    'select distinct run, benchmark, task_id, record_sha256, plain_sha256, problem_sha256 from tasks ' +
      'order by benchmark, task_id',
  );
  const suites = await records(
    database,
    'select distinct run, benchmark, task_id, suite, tests_sha256 from suites order by all',
  );
  const [byPlace, suitesByTask] = [Map.groupBy(tasks, placeOf), Map.groupBy(suites, taskPlaceOf)];
  return (run, benchmark) =>
    new Map(
      byPlace
        .get(JSON.stringify([run, benchmark]))
        ?.map((row) => [textOf(row, 'task_id'), recordOf(row, suitesByTask.get(taskPlaceOf(row)) ?? [])]),
    );
}

const placeOf = (row: Row): string => JSON.stringify([textOf(row, 'run'), textOf(row, 'benchmark')]);
const taskPlaceOf = (row: Row): string => JSON.stringify([placeOf(row), textOf(row, 'task_id')]);

function recordOf(task: Row, suites: readonly Row[]): TaskRecord {
  const record = textOf(task, 'record_sha256');
  return {
    whole: [record, hashOf(task, 'plain_sha256') ?? record],
    problem: hashOf(task, 'problem_sha256'),
    suites: new Map(suites.map((row) => [textOf(row, 'suite'), hashOf(row, 'tests_sha256')])),
  };
}

const hashOf = (row: Row, column: string): string | null => (row[column] == null ? null : textOf(row, column));

/** Whether two runs have the same task: the rule that judges it may differ, as may suites that only one run has. */
export function isSameTask(one: TaskRecord | undefined, other: TaskRecord | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.whole.some((hash) => other.whole.includes(hash)) || haveSameTests(one, other);
}

/** The same problem, and the same tests in every suite that both have; they have at least one. */
function haveSameTests(one: TaskRecord, other: TaskRecord): boolean {
  if (one.problem === null || one.problem !== other.problem) return false;
  const shared = [...one.suites].filter(([suite]) => other.suites.has(suite));
  return shared.length > 0 && shared.every(([suite, tests]) => tests !== null && tests === other.suites.get(suite));
}
