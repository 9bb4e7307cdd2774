/** Checks a run against its own records: every byte of its files, every stored reply, every row key and count. */
import { isSuperseded, supersededPath } from '../../../domain/part-paths.ts';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { join, relative, sep } from 'node:path';
import { missingTablesProblems } from '../../../domain/missing-tables/missing-text.ts';
import { counted } from '../../../domain/counted.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { isNoFile, noFile, noFileRemedy } from '../files/regular-file.ts';
import { type DoubtfulManifest, readDoubtfulManifest } from '../manifest-file.ts';
import { ledgerName, ledgerPath, viewsName } from '../run-paths.ts';
import { knownParts, unknownParts } from '../parts/unknown-parts.ts';
import { isSealed } from '../ledger/sqlite/ledger-seal.ts';
import { brokenSeals, hasBrokenViews } from '../seals.ts';
import { type Input, runBlobs } from '../blobs/run-blobs.ts';
import { revisionsOf } from '../../runs/planned-run.ts';
import { lacksPlan, noPlan } from '../run-ledger.ts';
import { verifyLedger } from './verify-ledger.ts';
import type { LedgerCheck } from './verify-ledger.ts';
import { countProgress, type ProgressCount, type VerifyProgress } from './verify-progress.ts';
import { verifyRows } from './verify-rows.ts';

export interface VerifyReport {
  /** True if there are no problems. */
  readonly ok: boolean;
  /** Damaged, missing or duplicate items, one line each. */
  readonly problems: readonly string[];
  /** Notes that are not damage. */
  readonly notes: readonly string[];
  /** Whether the ledger file has a SHA-256 to check; not while the run is active, nor after a crash. */
  readonly sealed: boolean;
  /** Files that belong to nothing: leftovers of killed processes, unpublished parts. They do no harm. */
  readonly strays: readonly string[];
  readonly checked: {
    readonly parts: number;
    readonly inputs: number;
    readonly replies: number;
    readonly rows: number;
    readonly bytes: number;
  };
}

/**
 * The tables that together have one row per cell of a page, by study; their row counts are checked against the plan.
 */
export type CellTables = Readonly<Record<string, readonly string[]>>;

/** Reads only. Reports damage and never throws it. @param tell how far the check has come */
export async function verifyRun(
  runFolder: string,
  cellTables: CellTables = {},
  tell: (progress: VerifyProgress) => void = () => {},
): Promise<VerifyReport> {
  try {
    return await verifyAgainst(runFolder, await readDoubtfulManifest(runFolder), cellTables, tell);
  } catch (error) {
    const checked = { parts: 0, inputs: 0, replies: 0, rows: 0, bytes: 0 };
    return {
      ok: false,
      problems: [error instanceof Error ? error.message : String(error)],
      notes: [],
      sealed: false,
      strays: [],
      checked,
    };
  }
}

async function verifyAgainst(
  runFolder: string,
  { manifest, isWhole }: DoubtfulManifest,
  cellTables: CellTables,
  tell: (progress: VerifyProgress) => void,
): Promise<VerifyReport> {
  const files = await filesOf(runFolder);
  const listed = placedParts(manifest, new Set(files));
  const leftOut = new Set(manifest.archive?.leftOut);
  const expected = inputsOf(manifest, files).filter(({ file }) => !leftOut.has(file));
  const hasLedger = !leftOut.has(ledgerName);
  const count = countProgress(extentOf(runFolder, listed, expected), tell);
  const parts = await checkFiles(
    runFolder,
    listed.map((part) => ({ file: part.path, sha256: part.sha256, bytes: part.bytes })),
    count,
  );
  const inputs = await checkFiles(runFolder, expected, count);
  const ledger = hasLedger ? verifyLedger(ledgerPath(runFolder), isSealed(manifest), count.ledger) : noLedger;
  const intact = listed.filter(({ path }) => !parts.damaged.has(path));
  const rows = await verifyRows(runFolder, intact);
  const problems = [
    ...(isWhole ? [] : ['manifest.json does not match its SHA-256: damaged or changed by hand']),
    ...brokenSeals(runFolder, isUnread(ledger) ? withoutSeal(manifest) : manifest),
    ...[...parts.damaged.values(), ...inputs.damaged.values(), ...ledger.problems, ...rows.problems],
    ...(hasLedger && ledger.parts !== null ? unknownParts(manifest, knownParts(ledger.parts)) : []),
    ...missingPlan(runFolder, manifest, ledger),
    ...(await planProblems(runFolder, manifest, (file) => !leftOut.has(file) && !inputs.damaged.has(file))),
    ...missingCells(manifest, ledger, cellTables),
    ...missingTablesProblems(manifest.runId, manifest.missingTables),
  ];
  const checked = {
    ...{ parts: manifest.parts.length, inputs: inputs.count, replies: ledger.replies },
    ...{ rows: rows.count, bytes: parts.bytes + inputs.bytes },
  };
  return {
    ok: problems.length === 0,
    problems,
    notes: [
      ...tablesNotes(ledger, listed.length, intact.length),
      ...ledger.notes,
      ...viewsNotes(runFolder, manifest),
      ...archiveNotes(manifest),
    ],
    sealed: isSealed(manifest),
    strays: straysOf(manifest, expected, files),
    checked,
  };
}

/** What there is to read: files with their bytes, and the ledger. */
function extentOf(runFolder: string, parts: Manifest['parts'], inputs: readonly Input[]) {
  const sizeOf = (file: string): number => statSync(join(runFolder, file), { throwIfNoEntry: false })?.size ?? 0;
  const sizes = [...parts.map(({ bytes }) => bytes), ...[...inputs.map(({ file }) => file), ledgerName].map(sizeOf)];
  return { allFiles: parts.length + inputs.length, allBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Of an archive without replies or the like. */
const noLedger: LedgerCheck = { problems: [], notes: [], replies: 0, pages: null, parts: [], sealedPages: [] };

/** Nothing of the ledger could be read. */
const isUnread = ({ pages, parts }: LedgerCheck): boolean => pages === null && parts === null;

/** That an unread ledger does not match its seal says nothing more. */
const withoutSeal = (manifest: Manifest): Manifest => ({
  ...manifest,
  seals: { ...manifest.seals, [ledgerName]: null },
});

/** What is left of a run whose ledger cannot be read. */
function tablesNotes({ parts }: LedgerCheck, all: number, intact: number): string[] {
  if (parts !== null || all === 0) return [];
  return intact === all
    ? [`the ${counted(all, 'table file')} of the manifest ${all === 1 ? 'is' : 'are'} intact: ${readers}`]
    : [`${intact} of ${counted(all, 'table file')} of the manifest are intact; those that are not are named above`];
}
const readers = 'query, report and compare read nothing else';

const archiveNotes = ({ archive }: Manifest): string[] =>
  archive === undefined || archive.leftOut.length === 0
    ? []
    : [`an archive without ${archive.without.join(', ')}; not there and not checked: ${archive.leftOut.join(', ')}`];

/** An earlier version wrote its views without a seal, so their loss is known only from the run's end. */
const viewsNotes = (runFolder: string, manifest: Manifest): string[] =>
  typeof manifest.seals?.[viewsName] !== 'string' && hasBrokenViews(runFolder, manifest)
    ? [`${viewsName} is missing (version 0.1 wrote none); --repair writes it`]
    : [];

const missingPlan = (runFolder: string, manifest: Manifest, { pages }: LedgerCheck): string[] =>
  pages !== null && lacksPlan(runFolder, manifest, pages)
    ? [`${noPlan}; restore the run folder from a copy, or start another run`]
    : [];

/** Only revisions of one number can have plans that exclude each other. */
async function planProblems(
  runFolder: string,
  manifest: Manifest,
  isIntact: (file: string) => boolean,
): Promise<string[]> {
  const { size } = new Set(manifest.plan.map(({ revision }) => revision));
  if (size === manifest.plan.length || !manifest.plan.every(({ file }) => isIntact(file))) return [];
  return revisionsOf({ blobs: runBlobs(runFolder), place: runFolder }, manifest).then(
    () => [],
    (error: Error) => [error.message],
  );
}

/** Paths within the run folder, with `/`. */
async function filesOf(runFolder: string): Promise<string[]> {
  const entries = await readdir(runFolder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(runFolder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Inputs named by the manifest, and any other files in `inputs/`, whose names are their hashes. */
export function inputsOf(manifest: Manifest, files: readonly string[]): Input[] {
  const replays = Object.values(manifest.replays).flatMap(({ earlier = [], ...copy }) => [copy, ...earlier]);
  const verdicts = manifest.rescored?.verdicts ?? [];
  const named = [...manifest.plan, ...Object.values(manifest.benchmarks), ...replays, ...[verdicts].flat()];
  const known = new Set(named.map(({ file }) => file));
  const others = files.filter((file) => /^inputs\/[0-9a-f]{64}\.[^.]+$/.test(file) && !known.has(file));
  return [...named, ...others.map((file) => ({ file, sha256: file.slice('inputs/'.length).split('.', 1)[0] ?? '' }))];
}

interface FileCheck {
  readonly count: number;
  readonly bytes: number;
  /** Problems, by path. */
  readonly damaged: ReadonlyMap<string, string>;
}

async function checkFiles(
  runFolder: string,
  expected: readonly (Input & { readonly bytes?: number })[],
  count: ProgressCount,
): Promise<FileCheck> {
  const damaged = new Map<string, string>();
  let bytes = 0;
  for (const { file, sha256, bytes: size } of expected) {
    if (isNoFile(join(runFolder, file))) {
      damaged.set(file, `${file} ${noFile}: ${noFileRemedy(file)}`);
      continue;
    }
    const found = await hashOf(join(runFolder, file));
    bytes += found?.bytes ?? 0;
    count.file(found?.bytes ?? 0);
    if (found === undefined) damaged.set(file, `${file} is missing`);
    else if (found.sha256 !== sha256) damaged.set(file, `${file} has SHA-256 ${found.sha256}, not ${sha256}`);
    else if (size !== undefined && size !== found.bytes)
      damaged.set(file, `${file} has ${found.bytes} bytes, the manifest says ${size}`);
  }
  return { count: expected.length, bytes, damaged };
}

async function hashOf(path: string): Promise<{ sha256: string; bytes: number } | undefined> {
  if (!existsSync(path)) return undefined;
  const hash = createHash('sha256');
  const stream = createReadStream(path);
  await pipeline(stream, hash);
  return { sha256: hash.digest('hex'), bytes: stream.bytesRead };
}

/** Of sealed pages: what a page of the plan has. */
export type SealedPage = LedgerCheck['sealedPages'][number];

export function missingCells(
  manifest: Manifest,
  ledger: Pick<LedgerCheck, 'sealedPages'>,
  cellTables: CellTables,
): string[] {
  const parts = manifest.parts.flatMap(({ pages, ...part }) =>
    Object.entries(pages ?? { [part.page]: part.rows }).map(([page, rows]) => ({ ...part, page, rows })),
  );
  const published = new Set(parts.map(({ page }) => page));
  const rows = new Map(parts.map((part) => [`${part.table} ${part.page} ${part.revision}`, part.rows]));
  return ledger.sealedPages.flatMap(({ page, study, cells, revision }) => {
    const names = cellTables[study];
    if (names === undefined || !published.has(page)) return [];
    const found = names.reduce((sum, name) => sum + (rows.get(`${name} ${page} ${revision}`) ?? 0), 0);
    return found === cells
      ? []
      : [`page ${page} has ${cells} cells in the plan, ${found} rows in ${names.join(' and ')}`];
  });
}

/** A listed part may already have been moved out of its table's folder, while the manifest still lists its old path. */
function placedParts({ parts }: Manifest, files: ReadonlySet<string>): Manifest['parts'] {
  return parts.map((part) => {
    const moved = supersededPath(part.path);
    return !files.has(part.path) && files.has(moved) ? { ...part, path: moved } : part;
  });
}

/** Replaced parts are not strays. */
function straysOf(manifest: Manifest, inputs: readonly Input[], files: readonly string[]): string[] {
  const known = new Set([...manifest.parts.map(({ path }) => path), ...inputs.map(({ file }) => file)]);
  return files.filter(
    (file) => file.endsWith('.tmp') || (file.endsWith('.parquet') && !known.has(file) && !isSuperseded(file)),
  );
}
