/** Extra suites: tests from other files, joined to the tasks by task id. */
import { languages } from '../../domain/languages/index.ts';
import type { BenchmarkFormat, RecordPlace } from '../../domain/benchmarks/format.ts';
import { withRecordHash } from '../../domain/benchmarks/format.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import { InputError } from '../../domain/errors.ts';
import type { JoinedSuite } from '../../schemas/spec/benchmark.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { createPlaces, openRecords } from './records.ts';

export interface Joined {
  /** Tasks with the joined suites after their own, and a record hash that covers them. */
  readonly tasks: Task[];
  /** SHA-256 of each file as stored, by suite. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** Throws `InputError` if a task has no record in the other file, or the suite's name is taken. */
export async function joinSuites(
  tasks: readonly Task[],
  joins: readonly JoinedSuite[],
  field: string,
): Promise<Joined> {
  const wanted = new Set(tasks.map(({ taskId }) => taskId));
  const files = await Promise.all(joins.map(async (join) => ({ join, ...(await readSuites(join, wanted, field)) })));
  return {
    tasks: files.length === 0 ? [...tasks] : tasks.map((task) => withJoined(task, files, field)),
    sha256: Object.fromEntries(files.map(({ join, sha256 }) => [join.name, sha256])),
  };
}

interface SuiteFile {
  readonly suites: ReadonlyMap<string, Suite>;
  readonly sha256: string;
}

async function readSuites(join: JoinedSuite, wanted: ReadonlySet<string>, field: string): Promise<SuiteFile> {
  const source = openRecords(join.path);
  const places = createPlaces();
  const suites = new Map<string, Suite>();
  for await (const { record, at } of source.records) {
    const { taskId, suite } = joinable(benchmarkFormats[join.format], join.name, record, at, field);
    places.add(taskId, taskId, at);
    if (wanted.has(taskId)) suites.set(taskId, { ...suite(), name: join.name });
  }
  return { suites, sha256: source.fileSha256() };
}

/** A record's task, and its suite; that is asked for only if the task is used, and throws if the record has none. */
interface Joinable {
  readonly taskId: string;
  suite(): Suite;
}

/** The record's suite of that name, or its only suite. Its expected values then apply to every program. */
function joinable(format: BenchmarkFormat, name: string, record: unknown, at: RecordPlace, field: string): Joinable {
  if (format.parseSuite !== undefined) {
    const { taskId, suite } = format.parseSuite(record, at);
    return { taskId, suite: () => suite };
  }
  const task = format.parseRecord(record, at);
  if (languages[task.language].isScript)
    throw new InputError(
      `expected tests in Python, ${at.file} has tests in ${task.language}: add it as a separate benchmark`,
      {
        field: `${field}.suites`,
      },
    );
  return { taskId: task.taskId, suite: () => suiteOf(task, name, at, field) };
}

function suiteOf(task: Task, name: string, { file, line }: RecordPlace, field: string): Suite {
  const suite = task.suites.length === 1 ? task.suites[0] : task.suites.find((one) => one.name === name);
  if (suite === undefined) {
    const names = task.suites.map((one) => one.name).join(', ');
    throw new InputError(
      `expected a suite "${name}", or one suite only, ${task.taskId} has the suites ${names}: add it there, or name ` +
        'the joined suite after one that all have',
      { file, ...(line !== null && { line }), field: `${field}.suites` },
    );
  }
  if (suite.expected !== null || task.reference === '') return suite;
  const reference = { source: task.reference, entryPoint: task.entryPoint };
  return { reference, ...suite };
}

function withJoined(task: Task, files: readonly (SuiteFile & { readonly join: JoinedSuite })[], field: string): Task {
  const { recordSha256: _own, plainSha256: _plain, ...rest } = task;
  const suites = files.map(({ join, suites: known }) => {
    const suite = known.get(task.taskId);
    if (suite === undefined)
      throw new InputError(`expected a record for every task used, ${task.taskId} has none`, {
        file: join.path,
        field: `${field}.suites`,
      });
    if (task.suites.some(({ name }) => name === join.name))
      throw new InputError(`"${join.name}" is already a suite of the benchmark: give the joined suite another name`, {
        field: `${field}.suites`,
      });
    return suite;
  });
  return withRecordHash({ ...rest, suites: [...task.suites, ...suites] });
}
