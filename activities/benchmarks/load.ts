/** Loads the tasks that a run uses from a benchmark file. */
import { withRuledSuites } from '../../domain/benchmarks/format.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import { InputError } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { knownHint } from '../../domain/nearest.ts';
import type { BenchmarkFormatName, DriverSettings, JoinedSuite } from '../../schemas/spec/benchmark.ts';
import type { JudgingRule, Suite, Task } from '../../schemas/task.ts';
import { usualJudging } from '../judging/execution-key.ts';
import { joinSuites } from './join.ts';
import { openCheckout } from './pareval-checkout.ts';
import { createPlaces, openRecords } from './records.ts';
import { createSelection, type TaskSelection } from './selection.ts';

export interface BenchmarkRequest {
  /** The benchmark's name in the spec. */
  readonly name: string;
  readonly format: BenchmarkFormatName;
  readonly path: string;
  /** For tasks with a driver. */
  readonly driver?: DriverSettings | undefined;
  /** Suites to keep or to join from other files, in this order; all suites of the file if absent. */
  readonly suites?: readonly (string | JoinedSuite)[] | undefined;
  readonly tasks?: TaskSelection | undefined;
  readonly judging?: JudgingRule | undefined;
  /** Orders the tasks for `limit` and `sample`. */
  readonly seed: number;
}

export interface LoadedBenchmark {
  /** In file order, each with the chosen suites only. */
  readonly tasks: Task[];
  /** Hex SHA-256 of the file's bytes as stored. */
  readonly fileSha256: string;
  /** Hex SHA-256 of the files that suites were joined from, by suite. */
  readonly joinedSha256: Readonly<Record<string, string>>;
}

/**
 * Reads, checks, selects and joins. Throws `InputError` with file, line and field, or with the unknown name and the
 * nearest known one.
 */
export async function loadBenchmark(request: BenchmarkRequest): Promise<LoadedBenchmark> {
  const field = `benchmarks.${request.name}`;
  const source = request.format === 'pareval' ? openCheckout(request.path, request.driver) : openRecords(request.path);
  const selection = createSelection(request.tasks ?? {}, request.seed, `${field}.tasks.ids`);
  const places = createPlaces();
  const known: string[] = [];
  for await (const { record, at } of source.records) {
    const task = benchmarkFormats[request.format].parseRecord(record, at);
    places.add(task.taskId, task.sourceTaskId, at);
    known.push(task.sourceTaskId);
    selection.offer(task);
  }
  const chosen = selection.chosen(() => known);
  const joins = (request.suites ?? []).filter((suite) => typeof suite !== 'string');
  const joined = await joinSuites(chosen, joins, field);
  return {
    tasks: joined.tasks.map((task) => withJudging(withSuites(task, request.suites, `${field}.suites`), request)),
    fileSha256: source.fileSha256(),
    joinedSha256: joined.sha256,
  };
}

function withSuites(task: Task, wanted: BenchmarkRequest['suites'], field: string): Task {
  if (wanted === undefined) return task;
  return {
    ...task,
    suites: wanted.map((suite, index) =>
      suiteOf(task, typeof suite === 'string' ? suite : suite.name, `${field}.${index}`),
    ),
  };
}

/** Adds a non-default judging rule to the record, since it changes the verdicts. */
function withJudging(task: Task, { name, format, judging }: BenchmarkRequest): Task {
  if (judging === undefined || canonicalJson(judging) === canonicalJson(usualJudging)) return task;
  if (format === 'pareval')
    throw new InputError('not allowed for pareval: set its limits in driver', {
      field: `benchmarks.${name}.judging`,
    });
  return withRuledSuites(
    task,
    task.suites.map((suite) => ({ ...suite, judging })),
  );
}

function suiteOf(task: Task, wanted: string, field: string): Suite {
  const suite = task.suites.find(({ name }) => name === wanted);
  if (suite !== undefined) return suite;
  const names = task.suites.map(({ name }) => name);
  throw new InputError(`task ${task.taskId} has no suite "${wanted}"; ${knownHint(wanted, names)}`, { field });
}
