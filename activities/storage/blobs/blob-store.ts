/** Bytes under keys that never change: a seam with one contract (test/contract/stores). */

export interface BlobFacts {
  readonly key: string;
  readonly bytes: number;
  /** When it was stored, milliseconds since 1970 by the store's clock. */
  readonly changedMs: number;
}

/** A small blob that changes, with the mark of these bytes. */
export interface Root {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** Keys are relative paths with `/`, such as `inputs/<sha256>.json`. */
export interface BlobStore {
  /**
   * Stores bytes durably and whole, or not at all. The same bytes again are a success; rejects with
   * `BlobTakenError` if the key has others, even if another process stores them at the same time.
   * @param sha256 of the bytes, in hex; rejects if they have another
   */
  putImmutable(key: string, bytes: Uint8Array, sha256: string): Promise<void>;
  /** Null if there is none. */
  get(key: string): Promise<Uint8Array | null>;
  /** Null if there is none. */
  head(key: string): Promise<BlobFacts | null>;
  /** Those whose keys begin with `prefix`, in the order of keys. */
  list(prefix: string): Promise<readonly BlobFacts[]>;
  /** A blob that `compareAndSwap` writes; null if there is none. */
  getRoot(key: string): Promise<Root | null>;
  /**
   * Replaces a root durably and whole, if it is still the one with that mark (null: if there is none). No key is both a
   * root and immutable.
   * @returns the new mark; null if another process has changed the root, which stays as it is. Null does not say that
   *   these bytes were never stored: if the answer was lost, another may have read and replaced them since.
   */
  compareAndSwap(key: string, etag: string | null, bytes: Uint8Array): Promise<string | null>;
  /** Removes a blob that nothing names any more. Does nothing if there is none. */
  remove(key: string): Promise<void>;
  /** Names the place of a key for people. */
  placeOf(key: string): string;
}

/** The key has other bytes, which stay. */
export class BlobTakenError extends Error {
  override readonly name = 'BlobTakenError';
}

const part = "[A-Za-z0-9_][A-Za-z0-9._=@+%!~'()*-]*";
const keyRule = new RegExp(`^${part}(/${part})*$`);

/** Throws for a key that some store could not have, or that leads out of it. */
export function checkedKey(key: string): string {
  if (keyRule.test(key) && !key.endsWith('.tmp')) return key;
  throw new Error(`invalid key of a blob: expected a relative path without "..", not of a .tmp file; got "${key}"`);
}
