/** From a run id on the command line to its folder. */
import { existsSync, readdirSync } from 'node:fs';
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

/** As `findRun`, of a run that is changed: a copy under another name is read only, since a run's folder is found by the run's name. */
export async function findRunToGoOn(runsDir: string, id: string): Promise<FoundRun> {
  const found = await findRun(runsDir, id);
  const { runId } = found.manifest;
  if (runId === id) return found;
  const remedy = `give the folder that name, in this runs directory or (--runs-dir) in another`;
  throw new InputError(`holds run "${runId}", and a run is changed under its own name only: ${remedy}`, { file: found.folder });
}

export function runIds(runsDir: string): string[] {
  if (!existsSync(runsDir)) return [];
  return readdirSync(runsDir).filter((name) => !name.startsWith('.') && existsSync(join(runsDir, name, 'manifest.json')));
}

function noSuchRun(runsDir: string, id: string): string {
  const folder = join(runsDir, id);
  if (existsSync(folder))
    return `${folder} has no manifest.json, so that it is no run: put the file back from a copy of the run, or name another run`;
  const known = runIds(runsDir);
  const guess = nearest(id, known);
  const hint =
    guess !== undefined ? `did you mean "${guess}"?` : known.length === 0 ? 'there is no run in it yet' : `it has: ${known.join(', ')}`;
  return `no run "${id}" in ${runsDir}; ${hint}`;
}

/** A run id is a folder's name. */
export function checkedRunId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._ -]{0,119}$/.test(id)) return id;
  throw new InputError(
    `a run id is letters, digits, dot, underscore, space and hyphen, at most 120, starting with a letter or digit; got "${id}"`,
  );
}
