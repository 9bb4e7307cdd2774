/** Creates a run's folder in one step, with its inputs stored by hash so that a resume needs nothing else. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Manifest } from '../../schemas/manifest.ts';
import { InputError } from '../../domain/errors.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { runBlobs } from './blobs/run-blobs.ts';
import { fsyncFolder } from './files/durable-file.ts';
import { openDatabase } from './ledger/sqlite/ledger-database.ts';
import { makeFolder } from './files/make-folder.ts';
import { writeManifest } from './manifest-file.ts';
import { ledgerPath, manifestPath } from './run-paths.ts';

/**
 * Creates the folder completely or not at all: `fill` stores the inputs in a temporary folder and returns the manifest;
 * renaming it makes it a run. Throws if the run exists, even if another process creates it at the same time.
 * @param fillLedger of a new ledger; without it the ledger is empty
 */
export async function createRunFolder(
  runFolder: string,
  fill: (inputs: BlobStore) => Promise<Manifest>,
  fillLedger?: (path: string) => Promise<void>,
): Promise<Manifest> {
  if (existsSync(runFolder)) throw alreadyThere(runFolder);
  makeFolder(dirname(runFolder));
  const aside = newFolderNextTo(runFolder);
  try {
    const manifest = await fill(runBlobs(aside));
    openDatabase(ledgerPath(aside)).close();
    await fillLedger?.(ledgerPath(aside));
    writeManifest(aside, manifest);
    moveInto(aside, runFolder);
    return manifest;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The folder is no run any more before its first file goes. */
export function removeRunFolder(runFolder: string): void {
  if (!existsSync(runFolder)) return;
  const aside = newFolderNextTo(runFolder);
  renameSync(runFolder, join(aside, basename(runFolder)));
  fsyncFolder(dirname(runFolder));
  rmSync(aside, { recursive: true, force: true });
}

/** With the permissions that the user's umask gives; `mkdtemp` would keep it from a group that shares its runs. */
function newFolderNextTo(runFolder: string): string {
  const folder = join(dirname(runFolder), `.${basename(runFolder)}-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder);
  return folder;
}

function moveInto(aside: string, runFolder: string): void {
  try {
    renameSync(aside, runFolder);
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw taken ? alreadyThere(runFolder) : error;
  }
  fsyncFolder(dirname(runFolder));
}

function alreadyThere(runFolder: string): Error {
  if (!statSync(runFolder).isDirectory())
    return new InputError('is a file, and a run is a folder: use another name (--run ID), or remove it', {
      file: runFolder,
    });
  // Throws where the folder may not be read, which looks like a missing manifest.
  accessSync(runFolder, constants.R_OK | constants.X_OK);
  const text = existsSync(manifestPath(runFolder))
    ? 'already exists: perhaps another process has just created this run; see `evenkeel status`'
    : 'exists but has no manifest.json: restore it from a backup, or use another name (--run ID)';
  return new InputError(text, { file: runFolder });
}
