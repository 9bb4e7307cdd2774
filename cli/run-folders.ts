/** From a run id on the command line to its folder. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
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

export const runIds = (runsDir: string): string[] =>
  namesIn(runsDir).filter((name) => existsSync(join(runsDir, name, 'manifest.json')));

const namesIn = (runsDir: string): string[] =>
  existsSync(runsDir) ? readdirSync(runsDir).filter((name) => !name.startsWith('.')) : [];

/** Folders that are a run's by what they hold, but lack its manifest; and folders that this user may not read. */
export const brokenRunIds = (runsDir: string): string[] =>
  namesIn(runsDir).filter((name) => {
    const folder = join(runsDir, name);
    if (!existsSync(folder)) return isLink(folder);
    if (!statSync(folder).isDirectory()) return false;
    return !isReadable(folder) || (holdsRunFiles(folder) && !existsSync(join(folder, 'manifest.json')));
  });

const holdsRunFiles = (folder: string): boolean =>
  ['ledger.sqlite', 'inputs'].some((name) => existsSync(join(folder, name)));

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why a folder of `brokenRunIds` is no run. */
export const brokenRunFault = (runsDir: string, id: string): InputError => new InputError(noSuchRun(runsDir, id));

function noSuchRun(runsDir: string, id: string): string {
  const folder = join(runsDir, id);
  if (isLink(folder) && !existsSync(folder)) return `${folder} is a link to a folder that does not exist`;
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
