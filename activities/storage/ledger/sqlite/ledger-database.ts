/** Opens the ledger's SQLite file, writable or read-only, and refuses unusable files before SQLite changes them. */
import { accessSync, constants, existsSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { CorruptionError, InputError } from '../../../../domain/errors.ts';
import { isWithoutRoom, ledgerFault, lostLedger, missingLedger, openingFault } from '../../files/corruption.ts';
import { withDescriptor } from '../../files/held-files.ts';
import { fsyncFolder } from '../../files/durable-file.ts';
import { refuseIfArchived } from '../../archived.ts';
import { refuseNetworkFileSystem } from '../../files/network-file-system.ts';
import { isLocked, useWriteAheadLog } from '../../files/write-ahead-log.ts';
import { sealsNow } from '../../manifest-file.ts';
import { isOfRun, ledgerName } from '../../run-paths.ts';
import { refuseLostReplies } from './losses/tally.ts';
import { createTables, refuseOlderFormat } from './ledger-format.ts';
import { type LedgerDatabase, withTransactions } from './ledger-transactions.ts';

/** How long a process waits for another's transaction. */
export const lockTimeoutMs = 10_000;

/**
 * Creates the file if it is missing, unless it is next to a run's manifest: a run has a ledger from the start. Opens a
 * ledger in a read-only place, or on a full disk, for reading.
 * @param use `look` never changes the file, and leaves nothing next to a ledger that no process has open
 */
export function openDatabase(path: string, use: 'work' | 'look' = 'work'): LedgerDatabase {
  refuseNetworkFileSystem(dirname(path));
  if (isOfRun(path)) refuseLost(path);
  const mayWrite = use === 'work' && (!isOfRun(path) || (isWritable(path) && isWritable(dirname(path))));
  const database = mayWrite ? openToWrite(path) : openToRead(path, use);
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
    if (isWithoutRoom(error) && isOfRun(path)) return openWithoutRoom(path);
    throw isLocked(error) ? heldTooLong(path) : openingFault(error, path);
  }
}

/**
 * On a full disk a ledger can still be read. One with answers in its log is read without the file of shared memory that
 * SQLite would have to create. Then no other process may have the ledger open; none has, since the file would exist.
 */
function openWithoutRoom(path: string): DatabaseSync {
  if (isAtRest(path)) return openToRead(path, 'work');
  const database = opened(path, path);
  try {
    database.exec('pragma locking_mode = exclusive; pragma query_only = on');
    refuseOlderFormat(database, path, 'work');
    return database;
  } catch (error) {
    database.close();
    throw openingFault(error, path);
  }
}

function openToRead(path: string, use: 'work' | 'look'): DatabaseSync {
  const database = opened(readingAddress(path), path, { readOnly: true });
  try {
    refuseOlderFormat(database, path, use);
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
 * SQLite creates two files next to a ledger even for reading, unless told that nobody changes it. Those files exist if
 * a process has the ledger open, or left behind by a killed process, with answers that are nowhere else.
 */
export const readingAddress = (path: string): string => `${pathToFileURL(path)}${isAtRest(path) ? '?immutable=1' : ''}`;

function isAtRest(path: string): boolean {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log === undefined || (log.size === 0 && !existsSync(`${path}-shm`));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Call before SQLite opens the file, since it would create or fill it at once. */
export function refuseLost(path: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) refuseIfArchived(dirname(path));
  if (bytes === undefined) throw missingLedger(path);
  if (bytes === 0) throw lostLedger(path, 'a run must have a ledger, this file is empty');
  refuseWithoutLog(path);
  refuseLogBesideSeal(path);
  refuseLostReplies(path);
}

/** Opening the file would write into it what its log has. A log that its own process emptied meanwhile is none. */
function refuseLogBesideSeal(path: string): void {
  const hasLog = (): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isOfRun(path) || !hasLog()) return;
  if (typeof sealsNow(dirname(path))?.[ledgerName] !== 'string' || !hasLog()) return;
  throw new CorruptionError(
    path,
    'its seal was taken without a log, and now there is one, ledger.sqlite-wal, of another state',
    'restore ledger.sqlite and its -wal from the same backup, or move a log away that is not of this ledger',
  );
}

/**
 * Bytes 18 and 19 of an SQLite file give its write mode; opening a file with another mode than
 * a ledger's would change them.
 */
function refuseWithoutLog(path: string): void {
  const head = Buffer.alloc(20);
  const read = withDescriptor(path, (file) => readSync(file, head, 0, 20, 0));
  if (read < 20 || head.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  if (head[18] === 2 && head[19] === 2) return;
  const remedy =
    'restore ledger.sqlite and its -wal from a backup; for a file that SQLite itself rewrote, "pragma ' +
    'journal_mode = wal" is enough';
  throw new CorruptionError(
    path,
    `a ledger must be in WAL mode (2 and 2 in bytes 18 and 19), got ${head[18]} and ${head[19]}`,
    remedy,
  );
}

function configure(database: DatabaseSync): void {
  useWriteAheadLog(database);
  // FULL: COMMIT returns after the log is on disk. Everything that is not `unsynced` depends on this; groups use
  // `sync`.
  database.exec('pragma synchronous = full');
  database.exec('pragma cache_size = -32768');
  database.exec('pragma wal_autocheckpoint = 8000');
}

/**
 * A killed process releases its lock at once, so only a process suspended within a transaction keeps the file locked.
 */
const heldTooLong = (path: string): InputError =>
  new InputError(
    `another process has locked the file for ${lockTimeoutMs / 1_000} s: resume or kill the suspended process ` +
      '(state T in ps) and try again',
    { file: path },
  );
