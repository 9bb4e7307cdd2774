/** Creates a run's folder in one step, with its inputs stored by hash so that a resume needs nothing else. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { fsyncFolder, writeFileDurably } from './files/durable-file.ts';
import { openDatabase } from './ledger/ledger-database.ts';
import { makeFolder } from './files/make-folder.ts';
import { writeManifest } from './manifest-file.ts';
import { ledgerPath } from './run-paths.ts';

/** A file of `inputs/`, named by its hash. */
export interface Input {
  /** Path within the run folder. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Creates the folder completely or not at all: `fill` writes the inputs to a temporary folder and returns the manifest;
 * renaming it makes it a run. Throws if the run exists, even if another process creates it at the same time.
 */
export async function createRunFolder(
  runFolder: string,
  fill: (folder: string) => Promise<Manifest>,
): Promise<Manifest> {
  if (existsSync(runFolder)) throw alreadyThere(runFolder);
  makeFolder(dirname(runFolder));
  const aside = newFolderNextTo(runFolder);
  try {
    const manifest = await fill(aside);
    openDatabase(ledgerPath(aside)).close();
    writeManifest(aside, manifest);
    moveInto(aside, runFolder);
    return manifest;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
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

const alreadyThere = (runFolder: string): Error =>
  new InputError('already exists: perhaps another process has just created this run; see `evenkeel status`', {
    file: runFolder,
  });

/**
 * Stores `contents` durably under its hash; the same contents give the same file.
 * @param extension without a dot
 */
export function putInput(runFolder: string, contents: string | Uint8Array, extension: string): Input {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
  const hash = sha256(bytes);
  const file = `inputs/${hash}.${extension}`;
  if (!existsSync(join(runFolder, file))) writeFileDurably(join(runFolder, file), bytes);
  return { file, sha256: hash };
}

/** Reads an input. Throws `CorruptionError` if it does not match its hash. */
export async function readInput(runFolder: string, input: Input): Promise<string> {
  const path = join(runFolder, input.file);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new CorruptionError(path, 'the manifest lists this file, but it is missing')
      : error;
  });
  if (sha256(bytes) !== input.sha256) throw new CorruptionError(path, `its SHA-256 is not ${input.sha256}`);
  return bytes.toString('utf8');
}
