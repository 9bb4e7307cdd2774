/** SHA-256 of the files that change while a run goes on, the ledger and its reports: taken when they are at rest, for `verify`. */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest } from '../../schemas/manifest.ts';
import { writeFileDurably } from './durable-file.ts';
import { fileSha256 } from './file-sha256.ts';
import { openDatabase } from './ledger-database.ts';
import { withoutLedgerSeal } from './ledger-seal.ts';
import { changeManifest, updateManifest } from './manifest.ts';
import { readManifest } from './manifest-file.ts';
import { withRunLock } from './run-lock.ts';
import { ledgerName, ledgerPath } from './run-paths.ts';

const attempts = 20;
const pauseMs = 100;

/**
 * Seals the ledger of a run that nobody carries out. Does nothing while the run is running, and none is taken when another process keeps
 * writing to it for two seconds: then `verify` says that there is none.
 */
export async function sealLedger(runFolder: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await readManifest(runFolder)).state === 'running' || sealAtRest(runFolder)) return;
    await sleep(pauseMs);
  }
}

/** Under the run's lock, with nothing of the ledger outside its file; false when a writer or reader was in the way. */
function sealAtRest(runFolder: string): boolean {
  const database = openDatabase(ledgerPath(runFolder));
  try {
    database.immediate(() => database.isMarkedSealed() || database.markSealed());
    database.sql('pragma wal_checkpoint(truncate)').all();
    return database.immediate(() => {
      if (!database.isMarkedSealed() || !isEmpty(`${ledgerPath(runFolder)}-wal`)) return false;
      const sha256 = fileSha256(ledgerPath(runFolder));
      changeManifest(runFolder, (manifest) => (manifest.state === 'running' ? manifest : withSeal(manifest, ledgerName, sha256)));
      return true;
    });
  } finally {
    database.close();
  }
}

/** Before a ledger at rest is changed. Throws `CorruptionError` where its seal does not hold. */
export async function unsealLedger(runFolder: string): Promise<void> {
  await updateManifest(runFolder, (manifest) => withoutLedgerSeal(runFolder, manifest));
}

/**
 * Writes a report and seals it, under the run's lock, so that the bytes of two reports at once are never mixed up with each other's seals; one that
 * is killed in between leaves no seal, rather than a wrong one. What lies elsewhere than in the run's folder is not the run's.
 */
export function writeSealedReport(runFolder: string, file: string, text: string): void {
  withRunLock(runFolder, () => {
    changeManifest(runFolder, (manifest) => withSeal(manifest, basename(file), null));
    writeFileDurably(file, new TextEncoder().encode(text));
    changeManifest(runFolder, (manifest) => withSeal(manifest, basename(file), fileSha256(file)));
  });
}

/** What does not have its seal, one line each. A report that is gone is no damage: `report` makes it anew. */
export function brokenSeals(runFolder: string, { seals = {} }: Manifest): string[] {
  return Object.entries(seals).flatMap(([name, sha256]) => {
    const path = join(runFolder, name);
    if (sha256 === null || !existsSync(path)) return [];
    const found = fileSha256(path);
    return found === sha256 ? [] : [`${name} has SHA-256 ${found}, not ${sha256}`];
  });
}

const withSeal = (manifest: Manifest, name: string, sha256: string | null): Manifest => ({
  ...manifest,
  seals: { ...manifest.seals, [name]: sha256 },
});

const isEmpty = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;
