/**
 * Seals, the SHA-256 of files that change during a run (the ledger, its reports and `views.sql`): taken when nothing
 * writes to them, and checked by `verify`.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { writeFileDurably } from './files/durable-file.ts';
import { fileSha256 } from './files/file-sha256.ts';
import { openDatabase } from './ledger/sqlite/ledger-database.ts';
import { isSealed, sealFault, withoutLedgerSeal } from './ledger/sqlite/ledger-seal.ts';
import { writeGate } from './ledger/sqlite/write-gate.ts';
import { changeManifestFile, lockedManifest, readManifest } from './manifest-file.ts';
import { withRunLock } from './run-lock.ts';
import { ledgerName, ledgerPath, viewsName } from './run-paths.ts';

const attempts = 20;
const pauseMs = 100;

/**
 * Seals the ledger of a run that no process owns. Does nothing while the run is running, or if there is a seal: it was
 * not taken off for a change, so a ledger that differs from it is damaged. Takes no seal if another
 * process keeps writing for two seconds; `verify` then reports that there is none.
 */
export async function sealLedger(runFolder: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const manifest = await readManifest(runFolder);
    if (manifest.state === 'running' || isSealed(manifest) || (await sealedAtRest(runFolder))) return;
    await sleep(pauseMs);
  }
}

const sealedAtRest = (runFolder: string): Promise<boolean> =>
  writeGate(ledgerPath(runFolder)).closedDuring(async () => sealAtRest(runFolder));

/** Takes the seal while holding the run's lock and with an empty -wal; false if a writer or reader was in the way. */
function sealAtRest(runFolder: string): boolean {
  const database = openDatabase(ledgerPath(runFolder));
  try {
    database.immediate(() => database.isMarkedSealed() || database.markSealed());
    database.sql('pragma wal_checkpoint(truncate)').all();
    return database.immediate(() => {
      if (!database.isMarkedSealed() || !isEmpty(`${ledgerPath(runFolder)}-wal`)) return false;
      const sha256 = fileSha256(ledgerPath(runFolder));
      changeManifestFile(runFolder, (manifest) =>
        manifest.state === 'running' || isSealed(manifest) ? manifest : withSeal(manifest, ledgerName, sha256),
      );
      return true;
    });
  } finally {
    database.close();
  }
}

/** Call before a sealed ledger is changed. Throws `CorruptionError` if it does not match its seal. */
export async function unsealLedger(runFolder: string): Promise<void> {
  await withRunLock(runFolder, async () =>
    changeManifestFile(runFolder, (manifest) => withoutLedgerSeal(runFolder, manifest)),
  );
}

/**
 * Writes a file of the run's folder and seals it while holding the run's lock, so that two concurrent reports do not
 * get each other's seals. If it is killed in between, it leaves no seal rather than a wrong one. A file that has these
 * bytes and their seal stays as it is, and so does the manifest: an unpacked archive keeps its checksums.
 */
export const writeSealed = (runFolder: string, file: string, text: string): Promise<void> =>
  withRunLock(runFolder, async () => {
    const bytes = new TextEncoder().encode(text);
    if (isSealedAs(runFolder, file, sha256(bytes))) return;
    changeManifestFile(runFolder, (manifest) => withSeal(manifest, basename(file), null));
    writeFileDurably(file, bytes);
    changeManifestFile(runFolder, (manifest) => withSeal(manifest, basename(file), fileSha256(file)));
  });

const isSealedAs = (runFolder: string, file: string, hash: string): boolean =>
  lockedManifest(runFolder).seals?.[basename(file)] === hash && existsSync(file) && fileSha256(file) === hash;

/**
 * Files that do not match their seals, one line each. A missing report is no damage, since `report` creates it again;
 * a missing `views.sql` is.
 */
export function brokenSeals(runFolder: string, { runId, seals = {} }: Manifest): string[] {
  return Object.entries(seals).flatMap(([name, sha256]) => {
    const path = join(runFolder, name);
    if (sha256 === null) return [];
    if (!existsSync(path)) return name === viewsName ? [`${name} is missing`] : [];
    const fault = name === ledgerName ? sealFault(runFolder, sha256) : bytesFault(path, sha256);
    return fault === null ? [] : [`${name} ${fault}${reportRemedy(runId, name)}`];
  });
}

/** Nothing but the report's own command writes it again. Empty for other files. */
function reportRemedy(runId: string, name: string): string {
  if (name === ledgerName || name === viewsName) return '';
  const format = /^report\.(\w+)$/.exec(name)?.[1];
  if (format === undefined) return ': `evenkeel report` with `--out` of this file writes it again';
  return `: \`evenkeel report ${runId}${format === 'html' ? '' : ` --format ${format}`}\` writes it again`;
}

function bytesFault(path: string, sha256: string): string | null {
  const found = fileSha256(path);
  return found === sha256 ? null : `has SHA-256 ${found}, not ${sha256}`;
}

/** Whether `views.sql` of a run that has ended is missing or changed. Earlier versions wrote it without a seal. */
export function hasBrokenViews(runFolder: string, { seals, state }: Manifest): boolean {
  const path = join(runFolder, viewsName);
  const sha256 = seals?.[viewsName] ?? null;
  if (!existsSync(path)) return sha256 !== null || state === 'complete';
  return sha256 !== null && fileSha256(path) !== sha256;
}

/** As `hasBrokenViews`, but not of a run that never had views: version 0.1 wrote none. */
export const hasLostViews = (runFolder: string, manifest: Manifest): boolean =>
  typeof manifest.seals?.[viewsName] === 'string' && hasBrokenViews(runFolder, manifest);

const withSeal = (manifest: Manifest, name: string, sha256: string | null): Manifest => ({
  ...manifest,
  seals: { ...manifest.seals, [name]: sha256 },
});

const isEmpty = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;
