/** Reads and writes `manifest.json`, which anyone may read at any time; the file is always complete. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseManifest } from '../../domain/parse-manifest.ts';
import { isWhole, parseWholeManifest, sealedManifest } from '../../domain/whole-manifest.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { writeFileDurably } from './files/durable-file.ts';
import { manifestPath } from './run-paths.ts';

/** Throws `InputError` or `CorruptionError` as `parseWholeManifest`; ENOENT if the folder is not a run. */
export const readManifest = async (runFolder: string): Promise<Manifest> =>
  parseWholeManifest(await readFile(manifestPath(runFolder), 'utf8'), manifestPath(runFolder));

/** Like `readManifest`, synchronous, for callers that hold the run's lock. */
export const lockedManifest = (runFolder: string): Manifest =>
  parseWholeManifest(readFileSync(manifestPath(runFolder), 'utf8'), manifestPath(runFolder));

export interface DoubtfulManifest {
  readonly manifest: Manifest;
  /** Whether the file matches its SHA-256. */
  readonly isWhole: boolean;
}

/** To check a run that may be damaged. Throws `InputError` only. */
export async function readDoubtfulManifest(runFolder: string): Promise<DoubtfulManifest> {
  const text = await readFile(manifestPath(runFolder), 'utf8');
  return { manifest: parseManifest(text, manifestPath(runFolder)), isWhole: isWhole(text) };
}

export const writeManifest = (runFolder: string, manifest: Manifest): void =>
  writeFileDurably(manifestPath(runFolder), new TextEncoder().encode(sealedManifest(manifest)));
