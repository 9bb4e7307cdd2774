/** `manifest.json` ends with the SHA-256 of its text, so a damaged one is known before anything is read by it. */
import { createHash } from 'node:crypto';
import type { ManifestFile } from '../schemas/manifest.ts';
import { CorruptionError } from './errors.ts';
import { manifestRemedy, parseManifest } from './parse-manifest.ts';

const seal = ',\n  "sha256": "';

/** The text of the file: the manifest's fields and, at the end, the SHA-256 of the text before it. */
export const sealedManifest = (manifest: ManifestFile): string =>
  sealed(JSON.stringify(manifest, null, 2).slice(0, -'\n}'.length));

const sealed = (fields: string): string => `${fields}${seal}${createHash('sha256').update(fields).digest('hex')}"\n}\n`;

/** Whether the text matches its SHA-256. */
export const isWhole = (text: string): boolean => text === sealed(text.slice(0, Math.max(0, text.lastIndexOf(seal))));

/**
 * Throws `InputError` if a newer version wrote the file or it is no manifest; `CorruptionError` if it does not match
 * its SHA-256. Version 0.1 wrote none.
 */
export function parseWholeManifest(text: string, file: string): ManifestFile {
  const manifest = parseManifest(text, file);
  if (isWhole(text) || !('sha256' in (JSON.parse(text) as object))) return manifest;
  throw new CorruptionError(file, 'does not match its SHA-256: damaged or changed by hand', manifestRemedy);
}
