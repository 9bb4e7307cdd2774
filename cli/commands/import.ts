/** `import`: what others recorded, as a file that a run can use; and a run beside what the recording says of itself. */
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import type { z } from 'zod';
import { readSamples } from '../../activities/samples-file.ts';
import { openRun } from '../../analysis/database.ts';
import { recordedDifferences } from '../../analysis/recorded-loops.ts';
import { InputError } from '../../domain/errors.ts';
import { parseJsonDocument } from '../../domain/json-document.ts';
import { utf8Text } from '../../domain/spec/utf8-text.ts';
import { trajectoriesSchema } from '../../schemas/trajectory.ts';
import { type RecordedTask, recordedTasks } from '../../studies/evaloop/trajectories.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { writeOutput } from '../output-file.ts';
import { findRun } from '../run-folders.ts';
import type { Terminal } from '../terminal.ts';

export interface ImportOptions {
  readonly runsDir: string;
  readonly format: string;
  readonly out?: string;
  readonly compare?: string;
  readonly model?: string;
}

export async function importFile(file: string, options: ImportOptions, terminal: Terminal): Promise<ExitStatus> {
  if (options.format === 'samples') return await importSamples(resolve(file), options, terminal);
  if (options.format !== 'evaloop') throw new InputError(`is evaloop or samples; got "${options.format}"`, { field: '--format' });
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return importFolder(resolve(file), options, terminal);
  const tasks = await readTrajectories(resolve(file));
  return options.compare === undefined ? writeReplay(tasks, options, terminal) : compare(tasks, options.compare, options, terminal);
}

export async function readTrajectories(file: string): Promise<RecordedTask[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`cannot be read: ${error.message}`, { file });
  });
  const checked = trajectoriesSchema.safeParse(parseJsonDocument(utf8Text(bytes, file), file));
  if (!checked.success) throw otherForm(checked.error, file);
  try {
    return recordedTasks(checked.data);
  } catch (error) {
    throw new InputError(`not a trajectory file: ${(error as Error).message}`, { file });
  }
}

const form = 'it maps each number of sustained loops to a list of { task_id, cycles: [{ code_output, summary_output }] }';

/** The first fault only: a file of another kind has hundreds. */
function otherForm({ issues: [first] }: z.ZodError, file: string): InputError {
  const field = first?.path.map(String).join('.') ?? '';
  const rule = `not a trajectory file: ${first?.message ?? 'it has another form'}; ${form}`;
  return new InputError(rule, { file, ...(field !== '' && { field }) });
}

/** What its authors' verdicts were made with, as far as it is known (docs/reproductions.md). */
const judgedAsPublished =
  'to judge them as published: give the benchmark `judging: { caseLimitMs: 4000, missingPackage: failed }` ' +
  'and the study `settings: { judge: none }`';

/** Every `.json` file of a folder becomes a recording of that name in the folder `--out`. */
async function importFolder(folder: string, { out, compare: run }: ImportOptions, terminal: Terminal): Promise<ExitStatus> {
  if (run !== undefined) throw new InputError('compares one file; name it in place of the folder', { field: '--compare' });
  if (out === undefined) throw new InputError('is needed: the folder for the replay files', { field: '--out' });
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new InputError('holds no .json file', { file: folder });
  makeFolder(resolve(out));
  const recordings = [];
  for (const name of names) {
    const model = basename(name, '.json');
    const tasks = await readTrajectories(join(folder, name));
    const lines = tasks.flatMap((task) => task.lines);
    const file = join(resolve(out), `${model}.jsonl`);
    await writeOutput(file, [lines.map((line) => `${JSON.stringify(line)}\n`).join('')]);
    terminal.out(`${lines.length} replies to ${tasks.length} tasks in ${file}`);
    recordings.push({ model, tasks: tasks.length, lines: lines.length, file });
  }
  terminal.out(judgedAsPublished);
  terminal.document({ format: 'evaloop', recordings });
  return exitStatus.done;
}

async function importSamples(file: string, options: ImportOptions, terminal: Terminal): Promise<ExitStatus> {
  if (options.compare !== undefined)
    throw new InputError('is for --format evaloop: samples do not say how they did', { field: '--compare' });
  const { tasks, samples, lines } = await readSamples(file);
  const path = await writeLines(lines, options);
  terminal.out(`${samples} samples of ${tasks} tasks in ${path}`);
  terminal.document({ format: 'samples', tasks, samples, lines: lines.length, file: path });
  return exitStatus.done;
}

async function writeReplay(tasks: readonly RecordedTask[], options: ImportOptions, terminal: Terminal): Promise<ExitStatus> {
  const lines = tasks.flatMap((task) => task.lines);
  const path = await writeLines(lines, options);
  terminal.out(`${lines.length} replies to ${tasks.length} tasks in ${path}`);
  terminal.out(judgedAsPublished);
  terminal.document({ format: 'evaloop', tasks: tasks.length, lines: lines.length, file: path });
  return exitStatus.done;
}

async function writeLines(lines: readonly object[], { out }: ImportOptions): Promise<string> {
  if (out === undefined) throw new InputError('is needed: the replay file to write, or --compare RUN', { field: '--out' });
  const path = resolve(out);
  await writeOutput(path, [lines.map((line) => `${JSON.stringify(line)}\n`).join('')]);
  return path;
}

async function compare(
  tasks: readonly RecordedTask[],
  id: string,
  { runsDir, model }: ImportOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (model === undefined) throw new InputError('is needed: the model of the run that replays the recording', { field: '--model' });
  const { folder } = await findRun(runsDir, id);
  const database = await openRun([folder]);
  try {
    const { compared, differences } = await recordedDifferences(database, model, tasks);
    if (compared === 0) throw new InputError(`run ${id} has no task of the recording under model ${model}`, { field: '--model' });
    for (const { taskId, recorded, here, reason } of differences)
      terminal.out(`${taskId}: ${recorded} loops as recorded, ${here} here: ${reason}`);
    terminal.out(`${differences.length} of ${compared} tasks differ from the recording`);
    terminal.document({ run: id, model, compared, differences });
  } finally {
    database.close();
  }
  return exitStatus.done;
}
