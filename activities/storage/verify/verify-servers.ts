/** Checks a run on servers: every byte of its objects, every stored reply, every row key and count. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServerError } from '../../../domain/errors.ts';
import { missingTablesProblems } from '../../../domain/missing-tables/missing-text.ts';
import { sha256 as sha256Of } from '../../../domain/ids.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { pagesOf } from '../../../studies/plan.ts';
import { revisionsOf } from '../../runs/planned-run.ts';
import type { Input } from '../blobs/run-blobs.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { RunHome } from '../home/run-home.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { partsOf } from '../manifest.ts';
import { unknownParts } from '../parts/unknown-parts.ts';
import { type CellTables, inputsOf, missingCells, type SealedPage, type VerifyReport } from './verify.ts';
import { countProgress, type ProgressCount, type VerifyProgress } from './verify-progress.ts';
import { verifyRows } from './verify-rows.ts';

/** As `verifyRun`. Reads every object of the run once; the parts are copied to this machine meanwhile. */
export async function verifyOnServers(
  home: RunHome,
  cellTables: CellTables = {},
  tell: (progress: VerifyProgress) => void = () => {},
): Promise<VerifyReport> {
  makeFolder(home.folder);
  const folder = mkdtempSync(join(home.folder, '.verify-'));
  try {
    return await verifyInto(folder, home, cellTables, tell);
  } catch (error) {
    // What could not be asked is not damaged.
    if (error instanceof ServerError) throw error;
    const problems = [error instanceof Error ? error.message : String(error)];
    const checked = { parts: 0, inputs: 0, replies: 0, rows: 0, bytes: 0 };
    return { ok: false, problems, notes: [], sealed: true, strays: [], checked };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyInto(
  folder: string,
  home: RunHome,
  cellTables: CellTables,
  tell: (progress: VerifyProgress) => void,
): Promise<VerifyReport> {
  const manifest = await home.manifest();
  const listed = manifest.parts.map(({ path: file, sha256, bytes }) => ({ file, sha256, bytes }));
  const inputs = inputsOf(manifest, []);
  const allBytes = listed.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = countProgress({ allFiles: listed.length + inputs.length, allBytes }, tell);
  const parts = await checkObjects(home, listed, count, folder);
  const others = await checkObjects(home, inputs, count);
  const ledger = await home.openLedger(manifest);
  try {
    const replies = await readReplies(home, manifest, ledger);
    const intact = manifest.parts.filter(({ path }) => !parts.damaged.has(path));
    const rows = await verifyRows(folder, intact);
    const problems = [
      ...[...parts.damaged.values(), ...others.damaged.values(), ...replies.problems, ...rows.problems],
      ...unknownParts(manifest, await partsOf(ledger)),
      ...missingCells(manifest, replies, cellTables),
      ...missingTablesProblems(manifest.runId, manifest.missingTables),
    ];
    const checked = {
      ...{ parts: listed.length, inputs: inputs.length, replies: replies.count },
      ...{ rows: rows.count, bytes: parts.bytes + others.bytes },
    };
    return { ok: problems.length === 0, problems, notes: [], sealed: true, strays: [], checked };
  } finally {
    await ledger.close();
  }
}

interface ObjectCheck {
  readonly bytes: number;
  /** Problems, by path. */
  readonly damaged: ReadonlyMap<string, string>;
}

/** @param into a folder for those that are intact */
async function checkObjects(
  { blobs }: RunHome,
  expected: readonly (Input & { readonly bytes?: number })[],
  count: ProgressCount,
  into?: string,
): Promise<ObjectCheck> {
  const damaged = new Map<string, string>();
  let sum = 0;
  for (const { file, sha256 } of expected) {
    const bytes = await blobs.get(file);
    sum += bytes?.length ?? 0;
    count.file(bytes?.length ?? 0);
    const found = bytes === null ? null : sha256Of(bytes);
    if (found === null) damaged.set(file, `${blobs.placeOf(file)} is missing`);
    else if (found !== sha256) damaged.set(file, `${blobs.placeOf(file)} has SHA-256 ${found}, not ${sha256}`);
    else if (into !== undefined && bytes !== null) writeInto(into, file, bytes);
  }
  return { bytes: sum, damaged };
}

function writeInto(folder: string, file: string, bytes: Uint8Array): void {
  makeFolder(dirname(join(folder, file)));
  writeFileSync(join(folder, file), bytes);
}

interface RepliesRead {
  readonly count: number;
  readonly problems: readonly string[];
  readonly sealedPages: readonly SealedPage[];
}

/** A reply whose bytes are not those of its SHA-256 is refused when it is read. */
async function readReplies(home: RunHome, manifest: Manifest, ledger: Ledger): Promise<RepliesRead> {
  const pages = pagesOf(await revisionsOf(home, manifest));
  const states = await ledger.pageStates(pages.map(({ page: { page } }) => page));
  const problems: string[] = [];
  let count = 0;
  for (const { page } of pages)
    try {
      count += (await ledger.samples(page.page)).length;
    } catch (error) {
      if (error instanceof ServerError) throw error;
      problems.push(`page ${page.page}: ${error instanceof Error ? error.message : String(error)}`);
    }
  const sealedPages = pages.flatMap(({ page: { page, study, cells }, revision }) =>
    states.get(page) === 'sealed' ? [{ page, study, cells: cells.length, revision }] : [],
  );
  return { count, problems, sealedPages };
}
