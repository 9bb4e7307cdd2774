/**
 * Verdicts of this machine's earlier runs, by execution key: program, tests, limits' rule and image. Only outcomes that another execution would repeat are kept,
 * and never times of a timing pass. A cache: whatever is wrong with its file, programs are run.
 */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
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

/**
 * @param path null keeps nothing, and so does a file that cannot be used
 * @param onDamage told once, in words, when the file is damaged: it is set aside, and a new one is made
 */
export function openExecutionCache(path: string | null, onDamage: (line: string) => void = () => {}): ExecutionCache {
  if (path === null) return nothing;
  try {
    return cacheOver(openFile(path), path, onDamage);
  } catch (error) {
    if (!isDamage(error)) return nothing;
  }
  try {
    return cacheOver(openAnew(path, onDamage), path, onDamage);
  } catch {
    return nothing;
  }
}

/** In SQLite's words: the structure of the file makes no sense. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);

function openAnew(path: string, onDamage: (line: string) => void): DatabaseSync {
  const aside = `${path}.damaged`;
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(path, aside);
  onDamage(`the cache of executions ${path} was damaged and is set aside as ${aside}; programs are run again, nothing else is lost`);
  return openFile(path);
}

function openFile(path: string): DatabaseSync {
  makeFolder(dirname(path));
  refuseNetworkFileSystem(dirname(path));
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    database.exec('create table if not exists verdict (id integer primary key, key text not null unique, record text not null)');
    database.prepare('delete from verdict where id <= (select max(id) from verdict) - ?').run(mostVerdicts);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function cacheOver(first: DatabaseSync, path: string, onDamage: (line: string) => void): ExecutionCache {
  let file = statementsOf(first);
  const rules = judgingDigest();
  const keyOf = (executionKey: string): string => sha256(`${rules}\0${executionKey}`);

  /** A full disk or a damaged file costs the cache, not the run. */
  function quietly<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) renew();
      return undefined;
    }
  }

  function renew(): void {
    try {
      file.database.close();
      file = statementsOf(openAnew(path, onDamage));
    } catch {
      // Another process has made it anew, or nothing can be kept: then nothing is found either.
    }
  }

  return {
    get: (executionKey) =>
      quietly(() => {
        const key = keyOf(executionKey);
        const row = file.find.get(key);
        const json = row === undefined ? undefined : openSealed(key, String(row['record']));
        return json === undefined ? undefined : { ...(JSON.parse(json) as VerdictRecord), reused: true };
      }),
    put: (verdict) => {
      const key = keyOf(verdict.executionKey);
      if (kept.has(verdict.outcome)) quietly(() => file.insert.run(key, sealed(key, JSON.stringify(verdict))));
    },
    close: () => file.database.close(),
  };
}

const statementsOf = (database: DatabaseSync) => ({
  database,
  find: database.prepare('select record from verdict where key = ?'),
  // In place of a row that was not believed.
  insert: database.prepare('insert or replace into verdict (key, record) values (?, ?)'),
});

/** The text behind a hash of its key and itself: an altered row is not believed, nor one of before there were hashes. */
const sealed = (key: string, json: string): string => `${sha256(`${key}\0${json}`)}\n${json}`;

function openSealed(key: string, record: string): string | undefined {
  const json = record.slice(65);
  return record === sealed(key, json) ? json : undefined;
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
