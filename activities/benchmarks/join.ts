/** Extra suites: tests for the same tasks from other files, joined by the task's id. */
import type { BenchmarkFormat, JoinableSuite, RecordPlace } from '../../domain/benchmarks/format.ts';
import { withRecordHash } from '../../domain/benchmarks/format.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import { InputError } from '../../domain/errors.ts';
import type { JoinedSuite } from '../../schemas/spec/benchmark.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { createPlaces, openRecords } from './records.ts';

export interface Joined {
  /** Each with the joined suites behind its own, and a record hash that covers them. */
  readonly tasks: Task[];
  /** SHA-256 of each file as stored, by suite. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** Throws `InputError` where a task has no record in the other file, or the suite's name is taken. */
export async function joinSuites(tasks: readonly Task[], joins: readonly JoinedSuite[], field: string): Promise<Joined> {
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
    if (wanted.has(taskId)) suites.set(taskId, { ...suite, name: join.name });
  }
  return { suites, sha256: source.fileSha256() };
}

/** The record's suite of that name, or its only one. What it expects of its own reference is expected of every program. */
function joinable(format: BenchmarkFormat, name: string, record: unknown, at: RecordPlace, field: string): JoinableSuite {
  if (format.parseSuite !== undefined) return format.parseSuite(record, at);
  const task = format.parseRecord(record, at);
  if (task.language !== 'python')
    throw new InputError(`tests in Python, ${at.file} has tests in ${task.language}: name that file as a benchmark of its own`, {
      field: `${field}.suites`,
    });
  const suite = task.suites.length === 1 ? task.suites[0] : task.suites.find((one) => one.name === name);
  if (suite === undefined) {
    const names = task.suites.map((one) => one.name).join(', ');
    throw new InputError(`${format.name} has the suites ${names}: call the joined one by one of these names`, { field: `${field}.suites` });
  }
  if (suite.expected !== null || task.reference === '') return { taskId: task.taskId, suite };
  const reference = { source: task.reference, entryPoint: task.entryPoint };
  return { taskId: task.taskId, suite: { reference, ...suite } };
}

function withJoined(task: Task, files: readonly (SuiteFile & { readonly join: JoinedSuite })[], field: string): Task {
  const { recordSha256: _own, ...rest } = task;
  const suites = files.map(({ join, suites: known }) => {
    const suite = known.get(task.taskId);
    if (suite === undefined)
      throw new InputError(`a record for every task that is used, ${task.taskId} has none`, { file: join.path, field: `${field}.suites` });
    if (task.suites.some(({ name }) => name === join.name))
      throw new InputError(`"${join.name}" is a suite of the benchmark itself: give the joined one another name`, {
        field: `${field}.suites`,
      });
    return suite;
  });
  return withRecordHash({ ...rest, suites: [...task.suites, ...suites] });
}
