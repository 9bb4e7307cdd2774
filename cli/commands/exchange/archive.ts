/** `archive`: makes one file of a run, to publish it or to move it to another machine. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCatalogue } from '../../../activities/benchmarks/catalogue.ts';
import { type Archived, archiveRun } from '../../../activities/exchange/archive/archive-run.ts';
import { type DataSetFacts, dataSetFacts } from '../../../activities/exchange/archive/left-data-sets.ts';
import { copyRun } from '../../../activities/runs/move/copy-run.ts';
import { repairFinished } from '../../../activities/runs/repair-run.ts';
import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import { unsetVariablesOf } from '../../../activities/exchange/archive/secrets.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import { type FoundRun, ownedText, refuseElsewhere } from '../../../activities/storage/catalog/run-catalog.ts';
import { isWritable } from '../../../activities/storage/files/is-writable.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import type { RunHome } from '../../../activities/storage/home/run-home.ts';
import { refuseBrokenSeal } from '../../../activities/storage/ledger/sqlite/ledger-seal.ts';
import { hasDamagedPart } from '../../../activities/storage/parts/part-damage.ts';
import { viewsName } from '../../../activities/storage/run-paths.ts';
import { hasLostViews } from '../../../activities/storage/seals.ts';
import { openRun } from '../../../analysis/database.ts';
import { collectExamples } from '../../../analysis/report/examples.ts';
import { renderReport } from '../../../analysis/report/html/page.ts';
import { InputError } from '../../../domain/errors.ts';
import { noteOutput } from '../../../workers/outputs/noted-outputs.ts';
import { nameList } from '../../../domain/name-list.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { type ArchivePart, archiveParts } from '../../../schemas/archive.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { collectReport } from '../../../studies/report.ts';
import { catalogueFolder } from '../../benchmark-folders.ts';
import { commandName } from '../../command-name.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { stageOf, writeWholeFile } from '../../output/output-file.ts';
import type { Terminal } from '../../output/terminal.ts';

export interface ArchiveOptions {
  readonly runsDir: string;
  readonly out?: string;
  readonly without?: string;
  readonly allDataSets?: boolean;
}

export async function archive(id: string, options: ArchiveOptions, terminal: Terminal): Promise<ExitStatus> {
  const without = namedParts(options.without);
  if (without.has('data-sets') && options.allDataSets === true)
    throw new InputError('contradicts --without data-sets; choose one of them', { field: '--all-data-sets' });
  const found = await runCatalog(options.runsDir).find(id);
  const { home, folder } = found;
  const out = resolve(options.out ?? `${id}.tar.gz`);
  const { archived, facts } = await atRest(options.runsDir, id, found, () =>
    home.isOnServers
      ? fromServers(id, home, out, (copy) => archiveFolder(id, copy, out, without, options))
      : archiveFolder(id, folder, out, without, options),
  );
  show(id, out, archived, facts, terminal);
  return exitStatus.done;
}

async function archiveFolder(
  id: string,
  folder: string,
  out: string,
  without: ReadonlySet<ArchivePart>,
  options: ArchiveOptions,
): Promise<{ readonly archived: Archived; readonly facts: DataSetFacts }> {
  const manifest = await readManifest(folder);
  refuse(id, folder, manifest);
  const facts = dataSetFacts(manifest, readCatalogue(catalogueFolder), whichOf(without, options));
  const archived = await writeWholeFile(out, (file) =>
    archiveRun({
      ...{ folder, manifest, without, dataSets: facts.left, file, stage: stageOf(file), env: process.env },
      report: reportOf,
    }),
  );
  return { archived, facts };
}

/** A copy of the run in a folder next to the file, as long as it takes. */
async function fromServers<T>(
  id: string,
  home: RunHome,
  out: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const runsDir = `${out}.run`;
  const forgetNote = noteOutput(process.env, [runsDir]);
  rmSync(runsDir, { recursive: true, force: true });
  try {
    await copyRun(id, home, folderCatalog(runsDir));
    if ((await home.manifest()).state === 'complete') await repairFinished(runsDir, id);
    return await work(join(runsDir, id));
  } finally {
    rmSync(runsDir, { recursive: true, force: true });
    forgetNote();
  }
}

const whichOf = (without: ReadonlySet<ArchivePart>, { allDataSets }: ArchiveOptions) =>
  without.has('data-sets') ? 'all' : allDataSets === true ? 'none' : 'unlicensed';

function namedParts(text: string | undefined): ReadonlySet<ArchivePart> {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  const parts = names.map((name) => {
    const part = archiveParts.find((known) => known === name);
    if (part === undefined)
      throw new InputError(`must be names with commas between; "${name}" is none: ${knownHint(name, archiveParts)}`, {
        field: '--without',
      });
    return part;
  });
  return new Set(parts);
}

function refuse(id: string, folder: string, manifest: Manifest): void {
  refuseElsewhere(id, manifest);
  if (manifest.archive !== undefined && manifest.archive.without.length > 0)
    throw new InputError(
      `run "${id}" is an archive without ${manifest.archive.without.join(', ')}: pass on the file that it came from`,
    );
  // The archive's files get seals of their own, which would hide a change.
  refuseBrokenSeal(folder, manifest);
  if (hasDamagedPart(folder, manifest) || hasLostViews(folder, manifest))
    throw new InputError(
      `run "${id}" has a damaged or missing table or ${viewsName}: rebuild it with ` +
        `${commandName()} verify ${id} --repair`,
    );
}

/** Keeps other processes from the run meanwhile. A folder that cannot be written has no owner. */
async function atRest<T>(
  runsDir: string,
  id: string,
  { folder, manifest }: FoundRun,
  work: () => Promise<T>,
): Promise<T> {
  const ownership = runCatalog(runsDir).ownership(id);
  const mayOwn = isWritable(folder);
  const owned = mayOwn ? await ownership.take() : null;
  if (owned === null && (mayOwn || (await ownership.isOwned())))
    throw new InputError(
      ownedText(id, manifest, `wait until it has ended, or pause it first: ${commandName()} pause ${id}`),
    );
  try {
    return await work();
  } finally {
    await owned?.release();
  }
}

async function reportOf(folder: string): Promise<string> {
  const database = await openRun(folder);
  try {
    return await renderReport(await collectReport(database, null), await collectExamples(database));
  } finally {
    database.close();
  }
}

const unsearchedText = (variables: readonly string[]): string =>
  `note: the archive was not searched for the value of ${nameList(variables)}, not set here: ` +
  'set what the run was asked with and archive again, before you publish it';

const includes = '; --all-data-sets includes it, if you have permission';

function show(id: string, out: string, archived: Archived, { left, unknown }: DataSetFacts, terminal: Terminal): void {
  const { bytes, sha256, files, whole, manifest } = archived;
  terminal.out(`wrote ${files} files to ${out}: ${bytes.toLocaleString('en-US')} bytes, SHA-256 ${sha256}`);
  for (const { benchmark, why, chosen } of left)
    terminal.note(`left out: data set ${benchmark} (${why})${chosen ? '' : includes}`);
  for (const benchmark of unknown)
    terminal.note(
      `note: data set ${benchmark} is included; its file is not in the catalogue, so check that you may pass it on, ` +
        'or leave it out with --without data-sets',
    );
  const unset = unsetVariablesOf(manifest, process.env);
  if (unset.length > 0) terminal.note(unsearchedText(unset));
  if (manifest.state !== 'complete')
    terminal.note(`note: run "${id}" is not complete, so the archive holds only what it has so far`);
  const verbs = `query, report, explain and verify${whole ? ', and resume continues it' : ''}`;
  terminal.out(
    `${whole ? 'whole' : `without ${(manifest.archive?.without ?? []).join(', ')}`}: unpack it in a folder of runs ` +
      `with tar xzf; ${verbs}`,
  );
  const { without = [], dataSets = {} } = manifest.archive ?? {};
  terminal.document({ run: id, file: out, bytes, sha256, files, whole, without, data_sets: dataSets, unknown });
}
