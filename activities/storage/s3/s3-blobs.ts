/** Blobs as objects of an S3-compatible store, which must honour conditions on writes. */
import { randomUUID } from 'node:crypto';
import { InputError } from '../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../domain/ids.ts';
import { type BlobStore, BlobTakenError, checkedKey } from '../blobs/blob-store.ts';
import { s3Address } from './client.ts';
import { type Objects, objectsOf } from './objects.ts';
import { impatient, type Patience } from './silence.ts';

/** @param address `s3://bucket/prefix`; nothing is loaded or connected before the first use */
export function s3Blobs(address: string, patience: Patience = impatient): BlobStore {
  const { bucket, prefix } = s3Address(address);
  const objects = objectsOf({ bucket, prefix }, patience);
  const placeOf = (key: string): string => `s3://${bucket}/${prefix}${checkedKey(key)}`;
  let checked: Promise<void> | undefined;
  const writable = async (): Promise<void> => {
    checked ??= refuseWithoutConditions(objects, `s3://${bucket}`).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  };
  return {
    async putImmutable(key, bytes, sha256) {
      const place = placeOf(key);
      if (sha256Of(bytes) !== sha256)
        throw new Error(`${place}: the bytes to store have another SHA-256 than ${sha256}`);
      await writable();
      if ((await objects.put(key, bytes, { IfNoneMatch: '*' })) !== null) return;
      // Another process was first, or this one, whose answer was lost.
      // The bytes are read: a store keeps the checksum of an object that its disk has damaged.
      const there = await objects.get(key);
      if (there === null || sha256Of(there.bytes) !== sha256)
        throw new BlobTakenError(`${place} exists with other bytes`);
    },
    get: async (key) => (await objects.get(checkedKey(key)))?.bytes ?? null,
    head: (key) => objects.head(checkedKey(key)),
    list: async (start) => {
      const found = await objects.list(start);
      return found.filter(({ key }) => key !== probeKey).toSorted((one, other) => (one.key < other.key ? -1 : 1));
    },
    getRoot: (key) => objects.get(checkedKey(key)),
    async compareAndSwap(key, etag, bytes) {
      checkedKey(key);
      await writable();
      const write = randomUUID();
      const condition = etag === null ? ({ IfNoneMatch: '*' } as const) : { IfMatch: etag };
      const stored = await objects.put(key, bytes, { ...condition, Metadata: { write } });
      // If the answer to the first try was lost, the condition does not hold at the second one.
      return stored ?? objects.etagOfWrite(key, write);
    },
    remove: async (key) => objects.remove(checkedKey(key)),
    placeOf,
  };
}

/** No key of a blob begins with a dot. */
const probeKey = '.conditions';

/**
 * Without conditions the later of two writes would win, and nothing could be promised. One object stays, so that each
 * process asks with one request.
 */
async function refuseWithoutConditions(objects: Objects, place: string): Promise<void> {
  const bytes = new TextEncoder().encode('This object shows that the store honours conditions on writes.\n');
  const isThere = async (): Promise<boolean> => (await objects.put(probeKey, bytes, { IfNoneMatch: '*' })) === null;
  const honours = (await isThere()) || (await isThere());
  const refusesMatch = (await objects.put(probeKey, bytes, { IfMatch: '"none"' })) === null;
  if (!honours || !refusesMatch)
    throw new InputError(
      `${place} ignores If-${honours ? '' : 'None-'}Match on writes, so two writers could overwrite each other; use ` +
        'a store that honours it (Amazon S3, MinIO, Ceph, versitygw and others do)',
    );
}
