/**
 * Reads and writes `manifest.json`, which anyone may read at any time; the file is always complete and ends with the
 * SHA-256 of its text.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CorruptionError } from '../../domain/errors.ts';
import { parseManifest } from '../../domain/parse-manifest.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { writeFileDurably } from './files/durable-file.ts';
import { manifestPath } from './run-paths.ts';

/** Throws `InputError` if a newer version wrote the file or it is damaged; ENOENT if the folder is not a run. */
export const readManifest = async (runFolder: string): Promise<Manifest> =>
  parseManifest(await readFile(manifestPath(runFolder), 'utf8'), manifestPath(runFolder));

/** Like `readManifest`, to continue the run. Also throws `CorruptionError` if the file does not match its SHA-256. */
export const readManifestToContinue = async (runFolder: string): Promise<Manifest> =>
  parseWholeManifest(runFolder, await readFile(manifestPath(runFolder), 'utf8'));

/** Like `readManifestToContinue`, synchronous, for callers that hold the run's lock. */
export const lockedManifest = (runFolder: string): Manifest =>
  parseWholeManifest(runFolder, readFileSync(manifestPath(runFolder), 'utf8'));

/** The next write adds a new hash, so a wrong one must be detected now. Older versions wrote none. */
function parseWholeManifest(runFolder: string, text: string): Manifest {
  const manifest = parseManifest(text, manifestPath(runFolder));
  if (isWhole(text) || !('sha256' in (JSON.parse(text) as object))) return manifest;
  throw new CorruptionError(
    manifestPath(runFolder),
    'does not match its SHA-256: damaged or changed by hand',
    'restore it from a backup',
  );
}

export function writeManifest(runFolder: string, manifest: Manifest): void {
  writeFileDurably(
    manifestPath(runFolder),
    new TextEncoder().encode(sealed(JSON.stringify(manifest, null, 2).slice(0, -'\n}'.length))),
  );
}

const seal = ',\n  "sha256": "';
/** The text of the file: the manifest's fields and, at the end, the SHA-256 of the text before it. */
const sealed = (fields: string): string => `${fields}${seal}${createHash('sha256').update(fields).digest('hex')}"\n}\n`;

/** Whether the file matches its SHA-256. */
export const manifestIsWhole = async (runFolder: string): Promise<boolean> =>
  isWhole(await readFile(manifestPath(runFolder), 'utf8'));

const isWhole = (text: string): boolean => text === sealed(text.slice(0, Math.max(0, text.lastIndexOf(seal))));
