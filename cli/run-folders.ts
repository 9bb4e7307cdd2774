/** From a run id on the command line to its folder. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../activities/storage/manifest-file.ts';
import { InputError } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import type { Manifest } from '../schemas/manifest.ts';

export interface FoundRun {
  readonly folder: string;
  readonly manifest: Manifest;
}

export async function findRun(runsDir: string, id: string): Promise<FoundRun> {
  const folder = join(runsDir, checkedRunId(id));
  if (!existsSync(join(folder, 'manifest.json'))) throw new InputError(noSuchRun(runsDir, id));
  return { folder, manifest: await readManifest(folder) };
}

/**
 * As `findRun`, for commands that change the run. Throws InputError for a copy in a folder of another name: a run is
 * found by its name, so a copy may only be read.
 */
export async function findRunToChange(runsDir: string, id: string): Promise<FoundRun> {
  const found = await findRun(runsDir, id);
  const { runId } = found.manifest;
  if (runId === id) return found;
  const remedy = 'rename the folder to that name, in this runs directory or in another (--runs-dir)';
  throw new InputError(`holds run "${runId}", which can be changed only under its own name: ${remedy}`, {
    file: found.folder,
  });
}

export function runIds(runsDir: string): string[] {
  if (!existsSync(runsDir)) return [];
  return readdirSync(runsDir).filter(
    (name) => !name.startsWith('.') && existsSync(join(runsDir, name, 'manifest.json')),
  );
}

function noSuchRun(runsDir: string, id: string): string {
  const folder = join(runsDir, id);
  if (existsSync(folder)) {
    // Throws where the folder may not be read, which looks like a missing manifest.
    accessSync(folder, constants.R_OK | constants.X_OK);
    return (
      `${folder} has no manifest.json, so it is not a run: ` +
      'restore that file from a copy of the run, or name another run'
    );
  }
  const known = runIds(runsDir);
  const guess = nearest(id, known);
  const hint =
    guess !== undefined
      ? `did you mean "${guess}"?`
      : known.length === 0
        ? 'it has no runs yet'
        : `it has: ${known.join(', ')}`;
  return `no run "${id}" in ${runsDir}; ${hint}`;
}

/** Throws InputError for an id that cannot be a folder's name. */
export function checkedRunId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._ -]{0,119}$/.test(id) && !id.endsWith(' ')) return id;
  throw new InputError(
    'a run id must start with a letter or digit and consist of letters, digits, dots, underscores, spaces and ' +
      `hyphens, at most 120 characters, without a space at its end; got "${id}"`,
  );
}
