import { type BlobStore, checkedKey } from './blob-store.ts';

/** The blobs of `blobs` whose keys begin with `prefix` and `/`, under the rest of their keys. */
export function blobsBelow(blobs: BlobStore, prefix: string): BlobStore {
  const whole = (key: string): string => `${prefix}/${checkedKey(key)}`;
  const rest = <T extends { readonly key: string }>(facts: T): T => ({
    ...facts,
    key: facts.key.slice(prefix.length + 1),
  });
  return {
    putImmutable: (key, bytes, sha256) => blobs.putImmutable(whole(key), bytes, sha256),
    get: (key) => blobs.get(whole(key)),
    async head(key) {
      const facts = await blobs.head(whole(key));
      return facts === null ? null : rest(facts);
    },
    list: async (start) => (await blobs.list(`${prefix}/${start}`)).map(rest),
    getRoot: (key) => blobs.getRoot(whole(key)),
    compareAndSwap: (key, etag, bytes) => blobs.compareAndSwap(whole(key), etag, bytes),
    remove: (key) => blobs.remove(whole(key)),
    placeOf: (key) => blobs.placeOf(whole(key)),
  };
}
