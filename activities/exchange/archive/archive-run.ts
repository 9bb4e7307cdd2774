/**
 * Makes one file of a run, to publish or to move it: the run's folder, without the paths of this machine and without
 * what is to stay private. Unpacked, it is a run again.
 */
import { copyFileSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { supersededPath } from '../../../domain/part-paths.ts';
import { InputError } from '../../../domain/errors.ts';
import type { ArchivePart } from '../../../schemas/archive.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { fileSha256 } from '../../storage/files/file-sha256.ts';
import { makeFolder } from '../../storage/files/make-folder.ts';
import { writeManifest } from '../../storage/manifest-file.ts';
import { ledgerName, ledgerPath, viewsName } from '../../storage/run-paths.ts';
import { inputsOf } from '../../storage/verify/verify.ts';
import { programVersion } from '../../runs/version.ts';
import { copyLedger } from './ledger-copy.ts';
import type { LeftDataSet } from './left-data-sets.ts';
import { isWhole, type Left } from './left-texts.ts';
import { partsWithout } from './parts-without.ts';
import { readMe } from './read-me.ts';
import { placesOf, secretsOf } from './secrets.ts';
import { type WrittenFile, writeTar } from './tar-file.ts';
import { specWithoutPaths, textWithoutPaths } from './without-paths.ts';

export interface ArchiveWanted {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly without: ReadonlySet<ArchivePart>;
  readonly dataSets: readonly LeftDataSet[];
  /** The archive. */
  readonly file: string;
  /** A folder that this call may fill and removes. */
  readonly stage: string;
  readonly env: NodeJS.ProcessEnv;
  /** Makes `report.html` from the archived tables. */
  readonly report: (folder: string) => Promise<string>;
}

export interface Archived extends WrittenFile {
  readonly files: number;
  readonly whole: boolean;
  readonly manifest: Manifest;
}

const reportName = 'report.html';
const sumsName = 'SHA256SUMS';

/** The run must be at rest. Throws InputError if the archive would hold a key. */
export async function archiveRun(wanted: ArchiveWanted): Promise<Archived> {
  const { manifest, stage, file, env } = wanted;
  rmSync(stage, { recursive: true, force: true });
  makeFolder(stage);
  try {
    const archived = await staged(wanted);
    const names = filesIn(stage);
    refuseSecrets(await placesOf(secretsOf(manifest, env), stage, names));
    const sums = names.map((name) => `${fileSha256(join(stage, name))}  ${name}\n`).join('');
    writeFileSync(join(stage, sumsName), sums);
    const mtime = new Date(manifest.finishedAt ?? manifest.updatedAt);
    const all = [...names, sumsName].toSorted();
    const written = await writeTar(file, { folder: stage, names: all, top: manifest.runId, mtime });
    return { ...written, files: all.length, whole: isWhole(leftOf(wanted)), manifest: archived };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const leftOf = ({ without, dataSets }: ArchiveWanted): Left => ({ parts: without, dataSets });

async function staged(wanted: ArchiveWanted): Promise<Manifest> {
  const { folder, manifest, stage } = wanted;
  const left = leftOf(wanted);
  const placeOf = ({ path }: { readonly path: string }): string => {
    const place = join(folder, path);
    return existsSync(place) ? place : join(folder, supersededPath(path));
  };
  const parts = await partsWithout(manifest.parts, left, placeOf, stage);
  for (const [index, part] of parts.entries())
    if (part === manifest.parts[index]) linkInto(stage, part.path, placeOf(part));
  const leftOut = inputsToLeave(manifest, left);
  const whole = isWhole(left);
  for (const input of inputNames(folder, whole ? null : manifest))
    if (!leftOut.includes(input)) linkInto(stage, input, join(folder, input));
  if (existsSync(join(folder, viewsName))) copyFileSync(join(folder, viewsName), join(stage, viewsName));
  if (whole) stageLedger(folder, stage);
  const archive = {
    programVersion,
    without: partsLeft(left),
    dataSets: Object.fromEntries(wanted.dataSets.map(({ benchmark, why }) => [benchmark, why])),
    leftOut: [...(whole ? [] : [ledgerName]), ...leftOut],
  };
  return sealed(wanted, { ...withoutPaths(folder, manifest), parts, archive });
}

const partsLeft = ({ parts, dataSets }: Left): ArchivePart[] => [
  ...(['prompts', 'replies'] as const).filter((part) => parts.has(part)),
  ...(dataSets.length > 0 ? (['data-sets'] as const) : []),
];

/** Seals what is in the stage. The report is made from the staged tables, which need a manifest. */
async function sealed({ folder, stage, report }: ArchiveWanted, manifest: Manifest): Promise<Manifest> {
  const isSealed = typeof manifest.seals?.[ledgerName] === 'string';
  const seals: Record<string, string | null> = {};
  if (existsSync(join(folder, viewsName))) seals[viewsName] = fileSha256(join(stage, viewsName));
  if (existsSync(ledgerPath(stage))) seals[ledgerName] = isSealed ? fileSha256(ledgerPath(stage)) : null;
  writeManifest(stage, { ...manifest, seals });
  writeFileSync(join(stage, reportName), await report(stage));
  seals[reportName] = fileSha256(join(stage, reportName));
  const whole = { ...manifest, seals };
  writeManifest(stage, whole);
  writeFileSync(join(stage, 'README.md'), readMe(whole));
  return whole;
}

function stageLedger(folder: string, stage: string): void {
  copyLedger(ledgerPath(folder), ledgerPath(stage));
  const tally = join(folder, 'ledger.tally');
  if (existsSync(tally)) copyFileSync(tally, join(stage, 'ledger.tally'));
}

function withoutPaths(folder: string, manifest: Manifest): Manifest {
  const { stateDetail, replays, missingTables } = manifest;
  const without = (text: string): string => textWithoutPaths(text, [resolve(folder)]);
  return {
    ...manifest,
    ...specWithoutPaths(manifest),
    stateDetail: stateDetail === null ? null : without(stateDetail),
    ...(missingTables !== undefined && {
      missingTables: missingTables.map((group) => ({ ...group, reason: without(group.reason) })),
    }),
    replays: Object.fromEntries(Object.entries(replays).map(([id, { source: _source, ...copy }]) => [id, copy])),
  };
}

/** Recordings hold replies. */
function inputsToLeave({ benchmarks, replays }: Manifest, { parts, dataSets }: Left): string[] {
  const copies = Object.values(replays).flatMap(({ earlier = [], ...copy }) => [copy, ...earlier]);
  const records = dataSets.flatMap(({ benchmark }) => benchmarks[benchmark]?.file ?? []);
  return [...new Set([...records, ...(parts.has('replies') ? copies.map(({ file }) => file) : [])])];
}

/**
 * An extended run also has its data sets as they were before: of what they hold nothing is known.
 * @param manifest only those that it names; null: all
 */
function inputNames(folder: string, manifest: Manifest | null): string[] {
  if (!existsSync(join(folder, 'inputs'))) return [];
  const named = manifest && new Set(inputsOf(manifest, []).map(({ file }) => file));
  return readdirSync(join(folder, 'inputs'))
    .filter((name) => !name.endsWith('.tmp'))
    .map((name) => `inputs/${name}`)
    .filter((name) => named === null || named.has(name));
}

/** A link, since tables and recordings can have gigabytes. */
function linkInto(stage: string, name: string, target: string): void {
  makeFolder(dirname(join(stage, name)));
  symlinkSync(resolve(target), join(stage, name));
}

const filesIn = (stage: string): string[] =>
  readdirSync(stage, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(stage.length + 1))
    .filter((name) => !name.startsWith('ledger.sqlite-'))
    .toSorted();

function refuseSecrets(places: readonly string[]): void {
  if (places.length === 0) return;
  throw new InputError(
    [
      'the archive would hold the value of a key, so it was not written:',
      ...places.map((place) => `  - ${place}`),
      'Change the key at its provider; to publish all the same, leave that part out with --without.',
    ].join('\n'),
  );
}
