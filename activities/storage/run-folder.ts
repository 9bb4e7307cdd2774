/** A run's folder: made in one step, with its inputs kept by their hash so that a resume needs nothing else. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { CorruptionError } from '../../domain/errors.ts';
import { fsyncFolder, writeFileDurably } from './durable-file.ts';
import { openDatabase } from './ledger-database.ts';
import { makeFolder } from './make-folder.ts';
import { writeManifest } from './manifest-file.ts';
import { ledgerPath } from './run-paths.ts';

/** A file of `inputs/`, named by its hash. */
export interface Input {
  /** Path within the run folder. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Makes the folder whole or not at all: `fill` puts the inputs into a folder aside and gives the manifest, and the rename makes it a run.
 * Throws when the run exists, also when another process makes it at the same moment.
 */
export async function createRunFolder(runFolder: string, fill: (folder: string) => Promise<Manifest>): Promise<Manifest> {
  if (existsSync(runFolder)) throw alreadyThere(runFolder);
  makeFolder(dirname(runFolder));
  const aside = mkdtempSync(join(dirname(runFolder), `.${basename(runFolder)}-`));
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

function moveInto(aside: string, runFolder: string): void {
  try {
    renameSync(aside, runFolder);
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw taken ? alreadyThere(runFolder) : error;
  }
  fsyncFolder(dirname(runFolder));
}

const alreadyThere = (runFolder: string): Error => new Error(`run folder ${runFolder} exists already; open it instead of making it anew`);

/** Keeps `contents` under its hash, durable. Putting the same contents again gives the same file. `extension` without a dot. */
export function putInput(runFolder: string, contents: string | Uint8Array, extension: string): Input {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
  const hash = sha256(bytes);
  const file = `inputs/${hash}.${extension}`;
  if (!existsSync(join(runFolder, file))) writeFileDurably(join(runFolder, file), bytes);
  return { file, sha256: hash };
}

/** The text of an input. Throws `CorruptionError` when a byte has changed. */
export async function readInput(runFolder: string, input: Input): Promise<string> {
  const path = join(runFolder, input.file);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CorruptionError(path, 'the manifest names this file, got none') : error;
  });
  if (sha256(bytes) !== input.sha256) throw new CorruptionError(path, `its SHA-256 is not ${input.sha256}`);
  return bytes.toString('utf8');
}
