/**
 * Verdicts of earlier runs on this machine, by execution key: program, tests, limits' rule and image. Stores only
 * outcomes that another execution would repeat, and never times of a timing pass. If anything is wrong with the file,
 * programs are just run.
 */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../domain/ids.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';
import { refuseNetworkFileSystem } from '../storage/files/network-file-system.ts';
import { makeFolder } from '../storage/files/make-folder.ts';
import { useWriteAheadLog } from '../storage/files/write-ahead-log.ts';

export interface ExecutionCache {
  get(executionKey: string): VerdictRecord | undefined;
  /** Stores the verdict if its outcome is reproducible. */
  put(verdict: VerdictRecord): void;
  close(): void;
}

const kept: ReadonlySet<Outcome> = new Set(['pass', 'wrong_output', 'exception', 'syntax_error', 'compile_error']);
/** About 600 bytes each. */
const mostVerdicts = 1_000_000;
const busyMs = 2000;

const nothing: ExecutionCache = { get: () => undefined, put: () => undefined, close: () => undefined };

/**
 * @param path null stores nothing, and so does an unusable file
 * @param onDamage gets one line when the file is damaged; the file is moved aside and a new one is created
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

/** SQLite's error codes for a corrupt file (11) and for a file that is not a database (26). */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);

function openAnew(path: string, onDamage: (line: string) => void): DatabaseSync {
  const aside = `${path}.damaged`;
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(path, aside);
  onDamage(
    `the execution cache ${path} was damaged; moved it to ${aside}. Programs are run again, nothing else is lost`,
  );
  return openFile(path);
}

function openFile(path: string): DatabaseSync {
  makeFolder(dirname(path));
  refuseNetworkFileSystem(dirname(path));
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    useWriteAheadLog(database);
    database.exec('pragma synchronous = normal');
    database.exec(
      'create table if not exists verdict (id integer primary key, key text not null unique, record text not null)',
    );
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

  /** A full disk or a damaged file disables the cache; the run goes on. */
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
      // Another process already replaced the file, or nothing can be stored; then nothing is found either.
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
  // `replace`: a row whose hash did not match is overwritten.
  insert: database.prepare('insert or replace into verdict (key, record) values (?, ?)'),
});

/**
 * The text, preceded by a hash of its key and itself: altered rows, and rows from before there
 * were hashes, are ignored.
 */
const sealed = (key: string, json: string): string => `${sha256(`${key}\0${json}`)}\n${json}`;

function openSealed(key: string, record: string): string | undefined {
  const json = record.slice(65);
  return record === sealed(key, json) ? json : undefined;
}

/**
 * Hash of evenkeel's own comparison code, on which verdicts depend besides the image:
 * when it changes, old verdicts are ignored.
 */
function judgingDigest(): string {
  const root = join(import.meta.dirname, '../..');
  const folders = [join('domain', 'values'), join('sandbox', 'judge')];
  const listed = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
  const own = readdirSync(import.meta.dirname)
    .filter((name) => /^(judge-lane|suite-cases)\.[jt]s$/.test(name))
    .map((name) => join('activities', 'judging', name));
  const verdict = readdirSync(join(root, 'domain'))
    .filter((name) => /^verdict\.[jt]s$/.test(name))
    .map((name) => join('domain', name));
  const files = [...listed, ...own, ...verdict].filter((name) => /\.(?:[jt]s|py)$/.test(name)).sort();
  return sha256(files.map((name) => sha256(readFileSync(join(root, name), 'utf8'))).join(' '));
}
