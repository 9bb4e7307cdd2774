/** Copies files of a run, checked by their hashes. */
import pLimit from 'p-limit';
import { CorruptionError } from '../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../domain/ids.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { faultPoint } from '../../storage/files/fault-point.ts';
import type { RunFile } from '../../storage/home/run-home.ts';

const atATime = 8;

/** Rejects with `CorruptionError` for a file that is missing, or has other bytes than its hash says. */
export async function copyFiles(from: BlobStore, to: BlobStore, files: readonly RunFile[]): Promise<void> {
  const limit = pLimit(atATime);
  await Promise.all(files.map((file) => limit(() => copyFile(from, to, file))));
}

async function copyFile(from: BlobStore, to: BlobStore, { file, sha256 }: RunFile): Promise<void> {
  const bytes = await from.get(file);
  const remedy = 'tables are made again by evenkeel verify RUN --repair; other files come from a backup';
  if (bytes === null) throw new CorruptionError(from.placeOf(file), 'the run lists it, but it is missing', remedy);
  if (sha256Of(bytes) !== sha256) throw new CorruptionError(from.placeOf(file), `its SHA-256 is not ${sha256}`, remedy);
  faultPoint();
  await to.putImmutable(file, bytes, sha256);
}
