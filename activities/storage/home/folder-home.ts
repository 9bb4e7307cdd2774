/** A run in a folder of this machine. */
import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runBlobs } from '../blobs/run-blobs.ts';
import { ledgerFault } from '../files/corruption.ts';
import { faultPoint } from '../files/fault-point.ts';
import { fileSha256 } from '../files/file-sha256.ts';
import { changeManifestFile, readManifest } from '../manifest-file.ts';
import { mendSegments } from '../mend-segments.ts';
import { refuseMoved } from '../moved-run.ts';
import { hasDamagedPart } from '../parts/part-damage.ts';
import { setAside, stagePart } from '../parts/parts.ts';
import { removeOrphans, settleParts } from '../parts/settle-parts.ts';
import { readDump } from '../ledger/sqlite/dump/read-dump.ts';
import { isSealed, refuseBrokenSeal, withoutLedgerSeal } from '../ledger/sqlite/ledger-seal.ts';
import { refuseMalformed } from '../ledger/sqlite/ledger-structure.ts';
import { openLedger, openLedgerToLook } from '../ledger/sqlite/sqlite-ledger.ts';
import { acceptAndNote } from '../ledger/sqlite/losses/accept-and-note.ts';
import { isTallyDamaged } from '../ledger/sqlite/losses/tally.ts';
import { openReplyReader } from '../reply-reader.ts';
import { openRunLedger } from '../run-ledger.ts';
import { withRunLock } from '../run-lock.ts';
import { ledgerPath } from '../run-paths.ts';
import { hasBrokenViews, sealLedger, unsealLedger, writeSealed } from '../seals.ts';
import type { PartKeeper, RunHome, Seals } from './run-home.ts';

export const folderHome = (folder: string): RunHome => ({
  folder,
  place: folder,
  isOnServers: false,
  blobs: runBlobs(folder),
  manifest: () => readManifest(folder),
  changeManifest: async (change) => changeManifestFile(folder, change),
  withManifestLock: (work) => withRunLock(folder, work),
  openLedger: (manifest) => openRunLedger(folder, manifest),
  async refuseMalformed(onLook) {
    onLook(statSync(ledgerPath(folder), { throwIfNoEntry: false })?.size ?? 0);
    refuseMalformed(ledgerPath(folder));
  },
  ledgerFault: (error) => ledgerFault(error, ledgerPath(folder)),
  openAnyLedger: async () => openLedger(ledgerPath(folder)),
  openLedgerToLook: async () => openLedgerToLook(ledgerPath(folder)),
  dumpLedger: () => readDump(ledgerPath(folder)),
  openReplies: () => openReplyReader(ledgerPath(folder)),
  hasReplies: async () => existsSync(ledgerPath(folder)),
  // Its files are all there.
  fetch: async () => {},
  tables: async () => folder,
  refuseMoved: () => refuseMoved(folder),
  parts: partsIn(folder),
  seals: sealsIn(folder),
});

const partsIn = (folder: string): PartKeeper => ({
  stage: (stem, description, rows, bytes) => stagePart(folder, stem, description, rows, bytes),
  setAside: (paths) => setAside(folder, paths),
  isInPlace: (path) => existsSync(join(folder, path)),
  settle: (ledger) => settleParts(folder, ledger),
  async damaged(ledger) {
    const missing = new Set((await settleParts(folder, ledger)).map(({ path }) => path));
    return (await ledger.parts()).filter(
      ({ path, sha256 }) => missing.has(path) || fileSha256(join(folder, path)) !== sha256,
    );
  },
  removeOrphans: (ledger, tableNames) => removeOrphans(folder, ledger, tableNames),
  removeSpent(paths) {
    for (const path of paths) {
      faultPoint();
      rmSync(join(folder, path), { force: true });
    }
    for (const path of new Set(paths.map(dirname))) removeEmpty(folder, path);
  },
  mendSegments: () => mendSegments(folder),
});

/** A folder and those above it, as far as they are empty. */
function removeEmpty(folder: string, path: string): void {
  if (path === '.') return;
  try {
    rmdirSync(join(folder, path));
  } catch {
    return;
  }
  removeEmpty(folder, dirname(path));
}

const sealsIn = (folder: string): Seals => ({
  seal: () => sealLedger(folder),
  refuseBroken: (manifest) => refuseBrokenSeal(folder, manifest),
  unseal: () => unsealLedger(folder),
  without: (manifest) => withoutLedgerSeal(folder, manifest),
  isSealed,
  write: (file, text) => writeSealed(folder, file, text),
  acceptLosses: async (only) =>
    only === undefined || isTallyDamaged(ledgerPath(folder)) ? acceptAndNote(ledgerPath(folder)) : 0,
  isDamaged: (manifest) => hasDamagedPart(folder, manifest) || hasBrokenViews(folder, manifest),
  hasBrokenViews: (manifest) => hasBrokenViews(folder, manifest),
});
