/** Copies of a run's files on this machine, for readers that need files. Several processes may fill one at a time. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { CorruptionError } from '../../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../../domain/ids.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { createFileDurably } from '../../files/durable-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { RunFile } from '../../home/run-home.ts';

const atATime = 8;

/** Rejects with `CorruptionError` for a blob that is missing, or has other bytes than its hash says. */
export async function filesInto(folder: string, blobs: BlobStore, files: readonly RunFile[]): Promise<void> {
  const limit = pLimit(atATime);
  await Promise.all(files.map((file) => limit(() => fileInto(folder, blobs, file))));
}

async function fileInto(folder: string, blobs: BlobStore, { file, sha256 }: RunFile): Promise<void> {
  const path = join(folder, file);
  // A file is written whole under its name, and the bytes under a key never change. A disk may have changed them.
  if (existsSync(path)) {
    if (sha256Of(readFileSync(path)) === sha256) return;
    rmSync(path, { force: true });
  }
  const bytes = await blobs.get(file);
  const remedy = 'restore the bucket from a copy';
  if (bytes === null) throw new CorruptionError(blobs.placeOf(file), 'the run lists it, but it is missing', remedy);
  if (sha256Of(bytes) !== sha256)
    throw new CorruptionError(blobs.placeOf(file), `its SHA-256 is not ${sha256}`, remedy);
  makeFolder(join(path, '..'));
  createFileDurably(path, bytes);
}
