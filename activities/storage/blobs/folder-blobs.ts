/** Blobs as files of a folder. */
import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 as sha256Of } from '../../../domain/ids.ts';
import { createFileDurably, writeFileDurably } from '../files/durable-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { fileSha256 } from '../files/file-sha256.ts';
import { type BlobFacts, type BlobStore, BlobTakenError, checkedKey, type Root } from './blob-store.ts';

export function folderBlobs(folder: string): BlobStore {
  const placeOf = (key: string): string => join(folder, checkedKey(key));
  const head = (key: string): BlobFacts | null => {
    const stats = statSync(placeOf(key), { throwIfNoEntry: false });
    return stats?.isFile() === true ? factsOf(key, stats) : null;
  };
  return {
    async putImmutable(key, bytes, sha256) {
      const path = placeOf(key);
      if (sha256Of(bytes) !== sha256)
        throw new Error(`${path}: the bytes to store have another SHA-256 than ${sha256}`);
      if (!existsSync(path) && createFileDurably(path, bytes)) return;
      if (fileSha256(path) !== sha256) throw new BlobTakenError(`${path} exists with other bytes`);
    },
    get: async (key) => (head(key) === null ? null : readFileSync(placeOf(key))),
    head: async (key) => head(key),
    list: async (prefix) => below(folder).filter(({ key }) => key.startsWith(prefix)),
    getRoot: async (key) => rootAt(placeOf(key)),
    async compareAndSwap(key, etag, bytes) {
      const path = placeOf(key);
      return whileOnlyOne(folder, () => {
        if ((rootAt(path)?.etag ?? null) !== etag) return null;
        makeFolder(dirname(path));
        writeFileDurably(path, bytes);
        return sha256Of(bytes);
      });
    },
    async remove(key) {
      rmSync(placeOf(key), { force: true });
    },
    placeOf,
  };
}

const factsOf = (key: string, { size, mtimeMs }: Stats): BlobFacts => ({
  key,
  bytes: size,
  changedMs: Math.floor(mtimeMs),
});

function rootAt(path: string): Root | null {
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  return { bytes, etag: sha256Of(bytes) };
}

/** Runs `change` while no other process changes a root of the folder. The lock ends with its process. */
function whileOnlyOne<T>(folder: string, change: () => T): T {
  makeFolder(folder);
  const lock = new DatabaseSync(join(folder, '.roots.lock'), { timeout: 10_000 });
  try {
    lock.exec('begin exclusive');
    return change();
  } finally {
    lock.close();
  }
}

function below(folder: string): BlobFacts[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp') && !entry.name.startsWith('.'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return factsOf(relative(folder, path).split(sep).join('/'), statSync(path));
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
