/** Stores bytes under a key that has a part of their hash: other bytes under it are damage, and are replaced. */
import { type BlobStore, BlobTakenError } from './blob-store.ts';

/** As `putImmutable`. Rejects with `BlobTakenError` if another process changes the blob at the same time. */
export async function putBack(blobs: BlobStore, key: string, bytes: Uint8Array, sha256: string): Promise<void> {
  try {
    await blobs.putImmutable(key, bytes, sha256);
  } catch (error) {
    if (!(error instanceof BlobTakenError)) throw error;
    const damaged = await blobs.getRoot(key);
    if ((await blobs.compareAndSwap(key, damaged?.etag ?? null, bytes)) === null) throw error;
  }
}
