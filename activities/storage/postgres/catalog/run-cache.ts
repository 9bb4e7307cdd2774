/** Copies of a run's files on this machine, for readers that need files. Several processes may fill one at a time. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptionError } from '../../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../../domain/ids.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { RunFile } from '../../catalog/run-catalog.ts';
import { createFileDurably } from '../../files/durable-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { lockedManifest, writeManifest } from '../../manifest-file.ts';
import { manifestPath } from '../../run-paths.ts';

/** Writes the manifest of a run that has changed. */
export function manifestInto(folder: string, manifest: Manifest): void {
  const isCopied =
    existsSync(manifestPath(folder)) && JSON.stringify(lockedManifest(folder)) === JSON.stringify(manifest);
  if (isCopied) return;
  makeFolder(folder);
  writeManifest(folder, manifest);
}

/** Rejects with `CorruptionError` for a blob that is missing, or has other bytes than its hash says. */
export async function filesInto(folder: string, blobs: BlobStore, files: readonly RunFile[]): Promise<void> {
  for (const { file, sha256 } of files) {
    const path = join(folder, file);
    // A file is written whole under its name, and the bytes under a key never change.
    if (existsSync(path) && sha256Of(readFileSync(path)) === sha256) continue;
    const bytes = await blobs.get(file);
    const remedy = 'restore the bucket from a copy';
    if (bytes === null)
      throw new CorruptionError(blobs.placeOf(file), 'the manifest lists it, but it is missing', remedy);
    if (sha256Of(bytes) !== sha256)
      throw new CorruptionError(blobs.placeOf(file), `its SHA-256 is not ${sha256}`, remedy);
    makeFolder(join(path, '..'));
    createFileDurably(path, bytes);
  }
}
