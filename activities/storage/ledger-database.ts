/** Opening the SQLite file beneath the ledger, to write or only to read, and what is refused before SQLite has it. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { ledgerFault, lostLedger, openingFault } from './corruption.ts';
import { fsyncFolder } from './durable-file.ts';
import { refuseNetworkFileSystem } from './network-file-system.ts';
import { isOfRun } from './run-paths.ts';
import { refuseLostReplies } from './tally.ts';
import { createTables, refuseOlderFormat } from './ledger-format.ts';
import { type LedgerDatabase, withTransactions } from './ledger-transactions.ts';

/** How long one process waits for another's transaction. */
const lockTimeoutMs = 10_000;

/**
 * Makes the file when it is not there, unless a run's manifest lies beside it: a run has had its ledger from the beginning. One that lies
 * where nothing can be written is opened to be read.
 */
export function openDatabase(path: string): LedgerDatabase {
  refuseNetworkFileSystem(dirname(path));
  if (isOfRun(path)) refuseLost(path);
  const mayWrite = !isOfRun(path) || (isWritable(path) && isWritable(dirname(path)));
  const database = mayWrite ? openToWrite(path) : openToRead(path);
  if (mayWrite) fsyncFolder(dirname(path));
  return withTransactions(database, path);
}

function openToWrite(path: string): DatabaseSync {
  const database = opened(path, path);
  try {
    configure(database);
    createTables(database, path);
    return database;
  } catch (error) {
    database.close();
    throw isLocked(error) ? heldTooLong(path) : openingFault(error, path);
  }
}

function openToRead(path: string): DatabaseSync {
  const database = opened(readingAddress(path), path, { readOnly: true });
  try {
    refuseOlderFormat(database, path);
    return database;
  } catch (error) {
    database.close();
    throw openingFault(error, path);
  }
}

function opened(address: string, path: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  try {
    return new DatabaseSync(address, { timeout: lockTimeoutMs, ...options });
  } catch (error) {
    throw ledgerFault(error, path);
  }
}

/**
 * Reading a ledger makes SQLite put two files beside it, unless it is told that nobody changes it. Whoever has it open has those files there,
 * and a process that was killed left them, with answers that are nowhere else.
 */
function readingAddress(path: string): string {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const isAtRest = log === undefined || (log.size === 0 && !existsSync(`${path}-shm`));
  return `${pathToFileURL(path)}${isAtRest ? '?immutable=1' : ''}`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Before SQLite has the file, which it would make or fill at once. */
function refuseLost(path: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw lostLedger(path, 'a run has a ledger, got no such file');
  if (bytes === 0) throw lostLedger(path, 'a run has a ledger, got an empty file');
  refuseWithoutLog(path);
  refuseLostReplies(path);
}

/** Bytes 18 and 19 of an SQLite file say how it is written to; opening one that says another way than a ledger's would change them. */
function refuseWithoutLog(path: string): void {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, head, 0, 20, 0) < 20 || head.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  } finally {
    closeSync(file);
  }
  if (head[18] === 2 && head[19] === 2) return;
  const remedy =
    'put ledger.sqlite and its -wal back from a copy; of a file that SQLite itself wrote anew, "pragma journal_mode = wal" is enough';
  throw new CorruptionError(
    path,
    `a ledger is written through a log (2 and 2 in bytes 18 and 19), got ${head[18]} and ${head[19]}`,
    remedy,
  );
}

function configure(database: DatabaseSync): void {
  retryWhileLocked(() => database.exec('pragma journal_mode = wal'));
  // FULL: COMMIT returns after the log is on disk. Whatever is not `unsynced` rests on this line; groups have `sync`.
  database.exec('pragma synchronous = full');
  database.exec('pragma cache_size = -32768');
  database.exec('pragma wal_autocheckpoint = 8000');
}

const isLocked = (error: unknown): boolean => /locked|busy/.test(String(error));

/** A killed process lets go at once; only one that stands still within a transaction keeps the file. */
const heldTooLong = (path: string): InputError =>
  new InputError(
    `another process has kept it locked for ${lockTimeoutMs / 1_000} s: wake or end the one that is stopped (state T in ps) and try again`,
    { file: path },
  );

/** The change to WAL ignores the connection's timeout: with several openers one may find the file locked. */
function retryWhileLocked(action: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += 20) {
    try {
      action();
      return;
    } catch (error) {
      if (!isLocked(error) || waitedMs >= lockTimeoutMs) throw error;
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}
