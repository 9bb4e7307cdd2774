/** The caches of this machine: what each holds, which of its entries are old, and what uses them now. */
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { accountFileIn } from '../../activities/calls/accounts/sqlite-accounts.ts';
import { diskUse, entriesOf } from '../../activities/storage/gc/disk-use.ts';
import { unfinishedMs } from '../../activities/storage/gc/leftovers.ts';
import { isOpenElsewhere } from '../../activities/storage/gc/open-elsewhere.ts';
import { executionCacheFile } from '../config.ts';
import { cacheFolder, type Environment } from '../temporal/cache-folder.ts';
import { TEMPORAL_CLI_VERSION } from '../temporal/cli-version.ts';
import { findProcesses, isRunning } from '../temporal/process-identity.ts';
import type { CacheName } from './cache-names.ts';

export interface CacheEntry {
  readonly cache: CacheName;
  /** For people. */
  readonly name: string;
  readonly path: string;
  /** Files that belong to it and have names of their own. */
  readonly besides: readonly string[];
  /** Why nothing needs it any more; null if it may still serve. */
  readonly old: string | null;
  /** Why it is needed now; null if it is not. */
  readonly obstacle: () => string | null;
  /** A lock that whoever makes the entry holds meanwhile; null if it is made in one step. */
  readonly lock: string | null;
}

export function cacheEntries(env: Environment, nowMs: number): CacheEntry[] {
  const folder = cacheFolder(env);
  const executions = executionCacheFile(env);
  const engine = join(folder, 'engine');
  const benchmarks = join(folder, 'benchmarks');
  return [
    folderEntry('references', join(folder, 'references')),
    ...(executions === null ? [] : [databaseEntry('executions', executions)]),
    ...entriesOf(join(folder, 'compiled')).map(({ name }) => compiledEntry(join(folder, 'compiled', name))),
    ...bundleEntries(join(folder, 'workflows'), nowMs),
    ...named(folder, /^temporal-/).map(temporalEntry),
    ...nodeEntries(named(folder, /^node-\d/)),
    { ...folderEntry('engine', engine), obstacle: usedIf(() => findProcesses('--data-root', engine).length > 0) },
    databaseEntry('accounts', accountFileIn(folder)),
    folderEntry('benchmarks', benchmarks),
    ...entriesOf(join(folder, 'stores')).flatMap(({ name }) => copyEntries(join(folder, 'stores', name), nowMs)),
  ].filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

const named = (folder: string, pattern: RegExp): string[] =>
  entriesOf(folder).flatMap(({ name }) => (pattern.test(name) ? [join(folder, name)] : []));

const unused = (): null => null;
const usedIf = (isUsed: () => boolean) => (): string | null => (isUsed() ? 'a process uses it' : null);

const folderEntry = (cache: CacheName, path: string): CacheEntry => ({
  cache,
  name: basename(path).startsWith(cache) ? basename(path) : `${cache}/${basename(path)}`,
  path,
  besides: [],
  old: null,
  obstacle: unused,
  lock: null,
});

const databaseEntry = (cache: CacheName, path: string): CacheEntry => ({
  ...folderEntry(cache, path),
  besides: [`${path}-wal`, `${path}-shm`],
  obstacle: usedIf(() => isDatabaseUsed(path)),
});

/** A damaged file is nobody's. */
function isDatabaseUsed(path: string): boolean {
  try {
    return isOpenElsewhere(path);
  } catch {
    return false;
  }
}

/** Node names a folder of compiled code for its version and kind of machine. */
const compiledEntry = (path: string): CacheEntry => ({
  ...folderEntry('compiled', path),
  old: basename(path).startsWith(`${process.version}-`) ? null : `of another Node than ${process.version}`,
});

const bundleRestMs = 7 * 24 * 3_600_000;

/** Each version of the workflows has a bundle; a file that is still used is made again within seconds. */
function bundleEntries(folder: string, nowMs: number): CacheEntry[] {
  const files = entriesOf(folder).map(({ name }) => join(folder, name));
  const changed = new Map(files.map((path) => [path, diskUse(path)?.changedMs ?? 0]));
  const newestMs = Math.max(...changed.values());
  return files.map((path) => {
    const atMs = changed.get(path) ?? 0;
    const isOld = atMs < newestMs && nowMs - atMs > bundleRestMs;
    return { ...folderEntry('workflows', path), old: isOld ? 'of an earlier version of the workflows' : null };
  });
}

function temporalEntry(path: string): CacheEntry {
  const isCurrent = basename(path) === `temporal-${TEMPORAL_CLI_VERSION}`;
  return {
    ...folderEntry('temporal', path),
    old: isCurrent ? null : `this program uses version ${TEMPORAL_CLI_VERSION}`,
    obstacle: usedIf(() => isRunning(join(path, 'temporal'))),
    lock: join(path, 'lock'),
  };
}

/** One for each run. A copy has no owner on this machine, so one that changed lately may be read. */
const copyEntries = (store: string, nowMs: number): CacheEntry[] =>
  named(store, /^[^.]/).map((path) => ({
    ...folderEntry('stores', path),
    name: `stores/${basename(store)}/${basename(path)}`,
    obstacle: () => (nowMs - (diskUse(path)?.changedMs ?? 0) < unfinishedMs ? 'changed within the hour' : null),
  }));

/** Small files with the path of a downloaded Node, one for each version. */
function nodeEntries(paths: readonly string[]): CacheEntry[] {
  const newest = paths.toSorted((a, b) => basename(a).localeCompare(basename(b), 'en', { numeric: true })).at(-1);
  return paths.map((path) => ({
    ...folderEntry('node', path),
    old: path === newest ? null : 'of an earlier version than the newest here',
  }));
}
