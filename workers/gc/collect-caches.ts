/** Caches and their leftovers that `gc` may remove. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { below, type DiskUse, diskUse, entriesOf } from '../../activities/storage/gc/disk-use.ts';
import { leftover } from '../../activities/storage/gc/leftovers.ts';
import {
  type Collection,
  type Found,
  isHalfRemoved,
  type Removable,
  removed,
  removeWhole,
} from '../../activities/storage/gc/removable.ts';
import { cacheFolder, type Environment } from '../temporal/cache-folder.ts';
import { whileLockIsFree } from '../temporal/file-lock.ts';
import type { CacheName } from './cache-names.ts';
import { type CacheEntry, cacheEntries } from './caches.ts';

/** Old entries of every cache, and all of the named ones. */
export function collectCaches(env: Environment, names: ReadonlySet<CacheName>, nowMs: number): Collection {
  const removable: Removable[] = [];
  const kept: Found[] = [];
  for (const entry of cacheEntries(env, nowMs)) {
    if (entry.old === null && !names.has(entry.cache)) continue;
    const use = diskUse(entry.path);
    const found = { kind: 'cache', name: entry.name, path: entry.path, bytes: use?.bytes ?? 0 } as const;
    const obstacle = obstacleTo(entry, use);
    if (obstacle !== null) kept.push({ ...found, why: obstacle });
    else removable.push({ ...found, why: entry.old ?? 'asked for', remove: () => removeEntry(entry) });
  }
  return { removable: [...removable, ...cacheLeftovers(cacheFolder(env), nowMs)], kept };
}

function obstacleTo({ obstacle }: CacheEntry, use: DiskUse | null): string | null {
  if (use === null) return 'is a link, and what it leads to is not in the cache: remove both by hand';
  if (use.mountedAt !== null) return `another file system is mounted at ${use.mountedAt}`;
  return obstacle();
}

async function removeEntry({ path, besides, obstacle, lock }: CacheEntry): Promise<string | null> {
  const remove = async (): Promise<string | null> => {
    if (diskUse(path) === null) return null;
    const why = obstacle();
    if (why !== null) return why;
    return removed(() => {
      removeWhole(path);
      for (const file of besides) rmSync(file, { force: true });
    });
  };
  return lock === null ? remove() : whileLockIsFree(lock, remove, inUse);
}

const inUse = 'a process uses it';

/** Unfinished files of killed commands, and damaged ones that were moved aside. */
function cacheLeftovers(folder: string, nowMs: number): Removable[] {
  const unfinished = { why: 'a half-written file', nowMs };
  const aside = entriesOf(folder).flatMap(({ name }) => {
    const path = join(folder, name);
    if (isHalfRemoved(name)) return leftover(path, { why: 'left by a gc that was killed', nowMs, restMs: 0 });
    return name.endsWith('.sqlite.damaged') ? leftover(path, { why: 'was damaged', nowMs, restMs: 0 }) : [];
  });
  const temporary = ['references', 'workflows'].flatMap((cache) =>
    [...below(join(folder, cache))].flatMap(({ at }) => (at.endsWith('.tmp') ? leftover(at, unfinished) : [])),
  );
  return [...aside, ...temporary];
}
