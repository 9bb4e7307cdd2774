/** A run's inputs, named by their hash so that a resume needs nothing else. */
import { CorruptionError } from '../../../domain/errors.ts';
import { sha256 } from '../../../domain/ids.ts';
import type { BlobStore } from './blob-store.ts';
import { folderBlobs } from './folder-blobs.ts';

/** Where a run has its inputs. */
export const runBlobs = (runFolder: string): BlobStore => folderBlobs(runFolder);

/** A blob of `inputs/`. */
export interface Input {
  /** Its key. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Stores `contents` durably under its hash; the same contents give the same input.
 * @param extension without a dot
 */
export async function putInput(blobs: BlobStore, contents: string | Uint8Array, extension: string): Promise<Input> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
  const input = inputOf(sha256(bytes), extension);
  await blobs.putImmutable(input.file, bytes, input.sha256);
  return input;
}

/** The input of the contents with that hash. */
export const inputOf = (hash: string, extension: string): Input => ({
  file: `inputs/${hash}.${extension}`,
  sha256: hash,
});

/** Reads an input. Rejects with `CorruptionError` if it does not match its hash. */
export async function readInput(blobs: BlobStore, input: Input): Promise<string> {
  return new TextDecoder().decode(await inputBytes(blobs, input));
}

/** Copies an input of another run, which must match its hash. */
export async function copyInput(from: BlobStore, to: BlobStore, input: Input): Promise<void> {
  await to.putImmutable(input.file, await inputBytes(from, input), input.sha256);
}

async function inputBytes(blobs: BlobStore, { file, sha256: hash }: Input): Promise<Uint8Array> {
  const bytes = await blobs.get(file);
  if (bytes === null) throw new CorruptionError(blobs.placeOf(file), 'the manifest lists this file, but it is missing');
  if (sha256(bytes) !== hash) throw new CorruptionError(blobs.placeOf(file), `its SHA-256 is not ${hash}`);
  return bytes;
}
