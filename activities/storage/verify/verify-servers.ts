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
import { readReplies } from './read-replies.ts';
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
    const pages = await pagesIn(home, manifest, ledger);
    const replies = await readReplies(ledger, pages.names);
    const intact = manifest.parts.filter(({ path }) => !parts.damaged.has(path));
    const rows = await verifyRows(folder, intact);
    const problems = [
      ...[...parts.damaged.values(), ...others.damaged.values(), ...replies.problems, ...rows.problems],
      ...unknownParts(manifest, await partsOf(ledger)),
      ...missingCells(manifest, pages, cellTables),
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

/** The sealed pages of the plan, and the names of all. */
async function pagesIn(home: RunHome, manifest: Manifest, ledger: Ledger) {
  const pages = pagesOf(await revisionsOf(home, manifest));
  const names = pages.map(({ page: { page } }) => page);
  const states = await ledger.pageStates(names);
  const sealedPages = pages.flatMap(({ page: { page, study, cells }, revision }): SealedPage[] =>
    states.get(page) === 'sealed' ? [{ page, study, cells: cells.length, revision }] : [],
  );
  return { names, sealedPages };
}
