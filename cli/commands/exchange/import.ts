/** `import`: converts recordings by others to a replay file, or compares a run with the verdicts they recorded. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import { importFormats, isImportFormat } from '../../../activities/exchange/imports/import-formats.ts';
import { makeFolder } from '../../../activities/storage/files/make-folder.ts';
import { refuseDevice } from '../../../activities/storage/files/regular-file.ts';
import { openRun } from '../../../analysis/database.ts';
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { utf8Text } from '../../../domain/spec/utf8-text.ts';
import { unreadable } from '../../../domain/unreadable.ts';
import { importers, isImporter } from '../../../studies/importers.ts';
import type { Recording, StudyImporter } from '../../../studies/study-importer.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { checkPlace } from '../../faults/output-places.ts';
import { importAnswers } from './import-answers.ts';
import type { ImportOptions } from './import-options.ts';
import { writeReplayFile } from './replay-output.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import type { Terminal } from '../../output/terminal.ts';

const formats = [...Object.keys(importers), ...Object.keys(importFormats)];

/** An importer with the name that the user gave. */
type Importer = StudyImporter & { readonly format: string };

export async function importFile(file: string, options: ImportOptions, terminal: Terminal): Promise<ExitStatus> {
  const { format } = options;
  refuseDevice(resolve(file));
  for (const field of ['out', 'spec'] as const) {
    const path = options[field];
    if (path !== undefined && placeOf(path) === placeOf(file))
      throw new InputError('is the file to import: name another, so that it is kept', { field: `--${field}` });
  }
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  if (options.out !== undefined)
    await checkPlace(resolve(options.out), '--out', isFolder && isImporter(format) ? 'folder' : 'file');
  if (isImportFormat(format)) return await importAnswers(format, resolve(file), options, terminal);
  if (!isImporter(format))
    throw new InputError(`unknown format "${format}"; ${knownHint(format, formats)}`, { field: '--format' });
  refuseOthers(options);
  const importer = { ...(await importers[format]()), format };
  if (isFolder) return importFolder(importer, resolve(file), options, terminal);
  const recording = await readRecording(importer, resolve(file));
  return options.compare === undefined
    ? writeReplay(importer, recording, options, terminal)
    : compare(importer, recording, options.compare, options, terminal);
}

/** The same for two paths to one file. */
const placeOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Throws InputError for a file that cannot be read or is not a recording of this format. */
export async function readRecording({ parse }: StudyImporter, file: string): Promise<Recording> {
  refuseDevice(file);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new InputError(unreadable(error), { file });
  });
  return parse(utf8Text(bytes, file), file);
}

/** Converts each `.json` file of a folder to a replay file of the same name in the folder `--out`. */
async function importFolder(
  importer: Importer,
  folder: string,
  { out, compare: run }: ImportOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (run !== undefined)
    throw new InputError('compares a single file; name a file instead of the folder', { field: '--compare' });
  if (out === undefined) throw new InputError('is required: the folder for the replay files', { field: '--out' });
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new InputError('has no .json file', { file: folder });
  makeFolder(resolve(out));
  const recordings = [];
  for (const name of names) {
    const model = basename(name, '.json');
    const { tasks, lines } = await readRecording(importer, join(folder, name));
    const file = await writeReplayFile(lines, join(out, `${model}.jsonl`));
    terminal.out(`wrote ${repliesText(lines.length, tasks)} to ${file}`);
    recordings.push({ model, tasks, lines: lines.length, file });
  }
  terminal.out(importer.advice);
  terminal.document({ format: importer.format, recordings });
  return exitStatus.done;
}

const repliesText = (replies: number, tasks: number): string =>
  `${counted(replies, 'reply', 'replies')} to ${counted(tasks, 'task')}`;

/** Recordings of a study know their tasks and models themselves. */
function refuseOthers(options: ImportOptions): void {
  for (const option of ['benchmark', 'spec', 'columns'] as const)
    if (options[option] !== undefined)
      throw new InputError(`has no meaning with --format ${options.format}; leave it out`, { field: `--${option}` });
}

async function writeReplay(
  { advice, format }: Importer,
  { tasks, lines }: Recording,
  { out }: ImportOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const path = await writeReplayFile(lines, out);
  terminal.out(`wrote ${repliesText(lines.length, tasks)} to ${path}`);
  terminal.out(advice);
  terminal.document({ format, tasks, lines: lines.length, file: path });
  return exitStatus.done;
}

async function compare(
  { unit }: Importer,
  recording: Recording,
  id: string,
  { runsDir, model }: ImportOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (model === undefined)
    throw new InputError('is required: the model of the run that replays the recording', { field: '--model' });
  const { folder } = await runCatalog(runsDir).find(id);
  const database = await openRun([folder]);
  try {
    const { compared, differences } = await recording.differences(database, model);
    if (compared === 0)
      throw new InputError(
        `in run ${id}, model ${model} has none of the recording's tasks; name the model that replays this recording`,
        { field: '--model' },
      );
    for (const { taskId, recorded, here, reason } of differences)
      terminal.out(`${taskId}: ${recorded} ${unit} as recorded, ${here} here: ${reason}`);
    terminal.out(`${differences.length} of ${compared} tasks differ from the recording`);
    terminal.document({ run: id, model, compared, differences });
  } finally {
    database.close();
  }
  return exitStatus.done;
}
