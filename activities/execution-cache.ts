/**
 * Verdicts of this machine's earlier runs, by execution key: program, tests, limits' rule and image. Only outcomes that another execution would repeat are kept,
 * and never times of a timing pass. A cache: whatever is wrong with its file, programs are run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../domain/ids.ts';
import type { Outcome } from '../schemas/states.ts';
import type { VerdictRecord } from './storage/ledger.ts';
import { refuseNetworkFileSystem } from './storage/network-file-system.ts';
import { makeFolder } from './storage/make-folder.ts';

export interface ExecutionCache {
  get(executionKey: string): VerdictRecord | undefined;
  /** Keeps it where its outcome is one that may be kept. */
  put(verdict: VerdictRecord): void;
  close(): void;
}

const kept: ReadonlySet<Outcome> = new Set(['pass', 'wrong_output', 'exception', 'syntax_error', 'compile_error']);
/** About 600 bytes each. */
const mostVerdicts = 1_000_000;
const busyMs = 2000;

const nothing: ExecutionCache = { get: () => undefined, put: () => undefined, close: () => undefined };

/** @param path null keeps nothing, and so does a file that cannot be used */
export function openExecutionCache(path: string | null): ExecutionCache {
  if (path === null) return nothing;
  try {
    return cacheOver(openFile(path));
  } catch {
    return nothing;
  }
}

function openFile(path: string): DatabaseSync {
  makeFolder(dirname(path));
  refuseNetworkFileSystem(dirname(path));
  const database = new DatabaseSync(path, { timeout: busyMs });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = normal');
  database.exec('create table if not exists verdict (id integer primary key, key text not null unique, record text not null)');
  database.prepare('delete from verdict where id <= (select max(id) from verdict) - ?').run(mostVerdicts);
  return database;
}

function cacheOver(database: DatabaseSync): ExecutionCache {
  const find = database.prepare('select record from verdict where key = ?');
  const insert = database.prepare('insert or ignore into verdict (key, record) values (?, ?)');
  const rules = judgingDigest();
  const keyOf = (executionKey: string): string => sha256(`${rules}\0${executionKey}`);
  return {
    get: (executionKey) =>
      quietly(() => {
        const row = find.get(keyOf(executionKey));
        return row === undefined ? undefined : { ...(JSON.parse(String(row['record'])) as VerdictRecord), reused: true };
      }),
    put: (verdict) => {
      if (kept.has(verdict.outcome)) quietly(() => insert.run(keyOf(verdict.executionKey), JSON.stringify(verdict)));
    },
    close: () => database.close(),
  };
}

/** A full disk or a damaged file costs the cache, not the run. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A verdict is made by what is in the image and by our own comparison: a changed comparison reads none of the old ones. */
function judgingDigest(): string {
  const root = join(import.meta.dirname, '..');
  const folders = [join('domain', 'values'), join('sandbox', 'judge')];
  const listed = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
  const own = readdirSync(import.meta.dirname)
    .filter((name) => /^(judge-lane|suite-cases)\.[jt]s$/.test(name))
    .map((name) => join('activities', name));
  const verdict = readdirSync(join(root, 'domain'))
    .filter((name) => /^verdict\.[jt]s$/.test(name))
    .map((name) => join('domain', name));
  const files = [...listed, ...own, ...verdict].filter((name) => /\.(?:[jt]s|py)$/.test(name)).sort();
  return sha256(files.map((name) => sha256(readFileSync(join(root, name), 'utf8'))).join(' '));
}
