/** `export`: writes a run in a format that other tools, or a later run, can use. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { exportFormats, type ExportFormatName, isExportFormat } from '../../../activities/exchange/export-formats.ts';
import type {
  ExportedFile,
  ExportFormat,
  ExportSource,
  WriteReplies,
  WriteText,
} from '../../../activities/exchange/exports/export-format.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import type { RunHome } from '../../../activities/storage/home/run-home.ts';
import { makeFolder } from '../../../activities/storage/files/make-folder.ts';
import { openRun } from '../../../analysis/database.ts';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { studyViews } from '../../../studies/answers.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { checkPlace } from '../../faults/output-places.ts';
import { tellWritten, writeOutput, writeWholeFile } from '../../output/output-file.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import type { Terminal } from '../../output/terminal.ts';

export interface ExportOptions {
  readonly runsDir: string;
  readonly format: string;
  readonly out: string;
  readonly model?: string;
  readonly study?: string;
}

/** What is asked of a run. */
interface Wanted {
  /** The name of the run's folder: a renamed run keeps its first id in its tables. */
  readonly id: string;
  readonly uuid: string;
  readonly home: RunHome;
  readonly out: string;
  readonly model: string | null;
  readonly study: string | null;
  readonly onAnswers: (read: number) => void;
}

export async function exportRun(id: string, options: ExportOptions, terminal: Terminal): Promise<ExitStatus> {
  const { format } = options;
  if (!isExportFormat(format))
    throw new InputError(`unknown format "${format}"; ${knownHint(format, Object.keys(exportFormats))}`, {
      field: '--format',
    });
  const { manifest, home } = await runCatalog(options.runsDir).find(id);
  refuseArchived(home.folder, manifest, exportFormats[format]);
  const { spec } = manifest;
  const models = spec.models.map((one) => one.id);
  const model = knownName('model', models, options.model);
  const studies = spec.studies.map(({ name }) => name);
  const study = knownName('study', studies, options.study);
  const out = resolve(options.out);
  await checkPlace(out, '--out', exportFormats[format].kind === 'folder' ? 'folder' : 'file');
  const onAnswers = (read: number): void => {
    if (read > 0) terminal.progress(`${counted(read, 'answer')} read`);
  };
  const wanted = { id, uuid: manifest.uuid, home, out, model, study, onAnswers };
  const { rows, files, bytes } = await written(format, wanted, options.runsDir);
  const amounts = [
    ...(rows === null ? [] : [counted(rows, unitOf(format))]),
    ...[counted(files, 'file'), counted(bytes, 'byte')],
  ];
  tellWritten(terminal, out, `wrote ${amounts.join(', ')} to ${out}`);
  const known: ExportFormat = exportFormats[format];
  if (rows === 0 && known.kind === 'replies') terminal.note(`note: the file is empty: ${known.whenEmpty}`);
  if (manifest.state !== 'complete')
    terminal.note(`note: run "${id}" is not complete, so the file holds only what it has so far`);
  const counts = { ...(rows !== null && { [`${unitOf(format)}s`]: rows }), files, bytes };
  terminal.document({ run: id, format, ...counts, file: out });
  return exitStatus.done;
}

/** Throws InputError if the run is an archive that lacks what the format takes from its tables. */
function refuseArchived(folder: string, { archive }: Manifest, { needs = [] }: ExportFormat): void {
  const missing = needs.filter((part) => archive?.without.includes(part));
  if (missing.length === 0) return;
  throw new InputError(`is an archive without ${missing.join(', ')}, which this format needs: choose junit or latex`, {
    file: folder,
    field: '--format',
  });
}

const unitOf = (format: ExportFormatName): string => (exportFormats[format].kind === 'replies' ? 'line' : 'answer');

interface Written {
  /** Lines or answers; null for a format that holds neither. */
  readonly rows: number | null;
  readonly files: number;
  readonly bytes: number;
}

async function written(name: ExportFormatName, wanted: Wanted, runsDir: string): Promise<Written> {
  const format = exportFormats[name];
  if (format.kind === 'replies') return replies(await format.load(), wanted, runsDir);
  if (format.kind === 'file') {
    const write = await format.load();
    const rows = await writeWholeFile(wanted.out, (aside) =>
      withTables(wanted, aside, (source) => write(source, aside)),
    );
    return { rows, files: 1, bytes: statSync(wanted.out).size };
  }
  if (format.kind === 'folder') {
    const write = await format.load();
    const { answers, files } = await withTables(wanted, null, write);
    return { rows: answers, files: files.length, bytes: await writeFiles(wanted.out, files) };
  }
  return texts(await format.load(), wanted);
}

/** Each answer that is read is written. */
async function texts(write: WriteText, wanted: Wanted): Promise<Written> {
  let rows: number | null = null;
  const onAnswers = (read: number): void => {
    rows = read;
    wanted.onAnswers(read);
  };
  const tally = { bytes: 0 };
  await withTables({ ...wanted, onAnswers }, null, (source) => writeOutput(wanted.out, tallied(write(source), tally)));
  return { rows, files: 1, bytes: tally.bytes };
}

/** Counts the bytes that pass: a pipe cannot be asked for its size afterwards. */
async function* tallied(chunks: AsyncIterable<string>, tally: { bytes: number }): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    tally.bytes += Buffer.byteLength(chunk);
    yield chunk;
  }
}

/** Returns the number of bytes. */
async function writeFiles(folder: string, files: readonly ExportedFile[]): Promise<number> {
  for (const { path, text } of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    await writeOutput(file, [text]);
  }
  return files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

async function replies(write: WriteReplies, wanted: Wanted, runsDir: string): Promise<Written> {
  const { id, uuid, out, model, study } = wanted;
  if (study !== null) throw new InputError('has no meaning for this format; leave it out', { field: '--study' });
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  try {
    const run = await runs.open({ runId: id, uuid, epoch: 0 });
    const tally = { bytes: 0 };
    const rows = await writeOutput(out, tallied(write(run, model), tally));
    return { rows, files: 1, bytes: tally.bytes };
  } finally {
    await runs.close();
  }
}

async function withTables<T>(
  { home, model, study, onAnswers }: Wanted,
  copyTo: string | null,
  write: (source: ExportSource) => Promise<T>,
): Promise<T> {
  const database = await openRun(await home.tables(), { views: studyViews, ...(copyTo !== null && { copyTo }) });
  try {
    return await write({ database, model, study, onAnswers });
  } finally {
    database.close();
  }
}

function knownName(what: string, known: readonly string[], name: string | undefined): string | null {
  if (name === undefined || known.includes(name)) return name ?? null;
  throw new InputError(`no ${what} "${name}" in the run; ${knownHint(name, known)}`, { field: `--${what}` });
}
