/** The text of `manifest.json`: read by everybody, always whole, under a SHA-256 of its own. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { manifestSchema } from '../../schemas/manifest.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { writeFileDurably } from './durable-file.ts';
import { manifestPath } from './run-paths.ts';

const readableFormat = 1;

/** Throws `InputError` when a newer program wrote it and when it is damaged; ENOENT when the folder is no run. */
export const readManifest = async (runFolder: string): Promise<Manifest> =>
  parseManifest(runFolder, await readFile(manifestPath(runFolder), 'utf8'));

function parseManifest(runFolder: string, text: string): Manifest {
  const json = parseJson(runFolder, text);
  refuseOtherFormat(runFolder, json);
  const { success, data, error } = manifestSchema.safeParse(json);
  if (success) return data;
  throw new InputError(`damaged or changed by hand; put it back from a copy of the run: ${z.prettifyError(error)}`, {
    file: manifestPath(runFolder),
  });
}

function parseJson(runFolder: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = text.trim() === '' ? 'an empty file' : `a text that is cut off or changed (${(cause as Error).message})`;
    throw new InputError(`a manifest is JSON, got ${found}; put it back from a copy of the run`, { file: manifestPath(runFolder) });
  }
}

function refuseOtherFormat(runFolder: string, json: unknown): void {
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (format === readableFormat) return;
  throw new InputError(
    `run format ${String(format)}; this program reads format ${readableFormat}: update it (npm install -g evenkeel@latest) and try again`,
    {
      file: manifestPath(runFolder),
    },
  );
}

/** As `readManifest`, to go on with the run. Throws `CorruptionError` too where the file does not have its SHA-256. */
export const readManifestToGoOn = async (runFolder: string): Promise<Manifest> =>
  parseWholeManifest(runFolder, await readFile(manifestPath(runFolder), 'utf8'));

/** As `readManifestToGoOn`, for who has the run's lock and lets nothing come between. */
export const lockedManifest = (runFolder: string): Manifest => parseWholeManifest(runFolder, readFileSync(manifestPath(runFolder), 'utf8'));

/** Whatever is written next gets a seal of its own, so that a wrong one is seen now or never. Older programs wrote none. */
function parseWholeManifest(runFolder: string, text: string): Manifest {
  const manifest = parseManifest(runFolder, text);
  if (isWhole(text) || !('sha256' in (JSON.parse(text) as object))) return manifest;
  throw new CorruptionError(manifestPath(runFolder), 'does not have its SHA-256: damaged or changed by hand', 'put it back from a copy');
}

export function writeManifest(runFolder: string, manifest: Manifest): void {
  writeFileDurably(manifestPath(runFolder), new TextEncoder().encode(sealed(JSON.stringify(manifest, null, 2).slice(0, -'\n}'.length))));
}

const seal = ',\n  "sha256": "';
/** The text of the file: the manifest's fields and, last, the SHA-256 of the text before it. */
const sealed = (fields: string): string => `${fields}${seal}${createHash('sha256').update(fields).digest('hex')}"\n}\n`;

/** Whether every byte of the file is as it was written. */
export const manifestIsWhole = async (runFolder: string): Promise<boolean> => isWhole(await readFile(manifestPath(runFolder), 'utf8'));

const isWhole = (text: string): boolean => text === sealed(text.slice(0, Math.max(0, text.lastIndexOf(seal))));
