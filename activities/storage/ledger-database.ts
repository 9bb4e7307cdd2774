/** The SQLite file beneath the ledger: opening it, its prepared statements and its transactions. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { ledgerFault, lostLedger, openingFault } from './corruption.ts';
import { fsyncFolder } from './durable-file.ts';
import { faultPoint } from './fault-point.ts';
import { createFileSync } from './file-sync.ts';
import { ledgerFormat, ledgerTables, ledgerUpgrades } from './ledger-schema.ts';
import { unsealForChange } from './ledger-seal.ts';
import { refuseNetworkFileSystem } from './network-file-system.ts';
import { manifestPath } from './run-paths.ts';
import { createTally, refuseLostReplies } from './tally.ts';
import { loadTotals, saveTotals } from './totals.ts';
import type { Totals } from './totals.ts';

/** A prepared statement whose errors name the file where that is at fault. */
export interface Statement {
  all(...values: readonly SQLInputValue[]): ReturnType<StatementSync['all']>;
  get(...values: readonly SQLInputValue[]): ReturnType<StatementSync['get']>;
  run(...values: readonly SQLInputValue[]): ReturnType<StatementSync['run']>;
}

export interface LedgerDatabase {
  /** The statement for a text, prepared once. Asked for as `bigint`, it gives every integer as one; otherwise one beyond 2^53 is refused. */
  sql(text: string, integers?: 'bigint'): Statement;
  /** Whether the file says of itself that it is at rest under a seal. Whatever changes it, in any process, takes mark and seal off. */
  isMarkedSealed(): boolean;
  markSealed(): void;
  /**
   * Runs `work` in one immediate transaction: no other process writes meanwhile, and all of it is durable on return or, when it throws,
   * undone. Within another `immediate` it is part of that transaction. Changes to `totals` are saved with it.
   */
  immediate<T>(work: (totals: Totals) => T): T;
  /** As `immediate`, but what it did is durable only once a `sync` that was begun afterwards has resolved. */
  unsynced<T>(work: (totals: Totals) => T): T;
  /** Waits for the disk beside the event loop. */
  sync(): Promise<void>;
  /** Runs `read` on one consistent state of the ledger. */
  snapshot<T>(read: () => T): T;
  close(): void;
}

/** SQLite keeps one number for its users in the file's header. */
const sealedMark = 1;

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

const isOfRun = (path: string): boolean => existsSync(manifestPath(dirname(path)));

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

function createTables(database: DatabaseSync, path: string): void {
  database.exec('begin immediate');
  try {
    const exists = database.prepare("select 1 from sqlite_schema where name = 'meta'").get() !== undefined;
    if (exists) upgrade(database, path);
    else if (isOfRun(path)) throw lostLedger(path, "a run's ledger has its tables, got a file without them");
    else database.exec(ledgerTables);
    database.exec('commit');
  } catch (error) {
    rollback(database);
    throw error;
  }
}

/** Brings an older ledger to this program's format. The transaction that it is in is the run's lock. */
function upgrade(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (!Number.isInteger(format)) throw lostLedger(path, 'a ledger says its format, this one says none');
  if (!(format >= 1 && format <= ledgerFormat))
    throw new InputError(
      `ledger format ${format}; this program reads format ${ledgerFormat}: update it (npm install -g evenkeel@latest) and try again`,
      { file: path },
    );
  if (format < ledgerFormat && isOfRun(path)) unsealForChange(dirname(path));
  for (const statements of ledgerUpgrades.slice(format - 1)) database.exec(statements);
}

const formatOf = (database: DatabaseSync): number =>
  Number(database.prepare("select value from meta where name = 'format'").get()?.['value']);

function refuseOlderFormat(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (format === ledgerFormat) return;
  throw new InputError(
    `ledger format ${format}, and it cannot be written; this program reads format ${ledgerFormat}: copy the run folder to a place that can be written`,
    { file: path },
  );
}

/** Reads too meet damage: of a page of the file, not of the file as a whole. */
function guarded(statement: StatementSync, path: string): Statement {
  const asked = <T>(ask: () => T): T => {
    try {
      return ask();
    } catch (error) {
      throw ledgerFault(error, path);
    }
  };
  return {
    all: (...values) => asked(() => statement.all(...values)),
    get: (...values) => asked(() => statement.get(...values)),
    run: (...values) => asked(() => statement.run(...values)),
  };
}

function withTransactions(database: DatabaseSync, path: string): LedgerDatabase {
  const log = createFileSync(`${path}-wal`);
  const tally = isOfRun(path) ? createTally(path) : null;
  const statements = new Map<string, Statement>();
  let current: Totals | undefined;
  /** Replies that are committed, and whether commits wait for the disk. */
  let replies = 0;
  let isSynced = true;

  function sql(text: string, integers?: 'bigint'): Statement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const fresh = prepared(text);
    if (integers === 'bigint') fresh.setReadBigInts(true);
    const statement = guarded(fresh, path);
    statements.set(text, statement);
    return statement;
  }

  function prepared(text: string): StatementSync {
    try {
      return database.prepare(text);
    } catch (error) {
      throw ledgerFault(error, path);
    }
  }

  function immediate<T>(work: (totals: Totals) => T): T {
    if (current !== undefined) return work(current);
    sql('begin immediate').run();
    try {
      const changesBefore = isMarkedSealed() ? totalChanges() : null;
      const old = loadTotals(sql);
      current = { ...old };
      const result = work(current);
      saveTotals(sql, old, current);
      if (changesBefore !== null && totalChanges() > changesBefore) takeSealOff();
      faultPoint();
      sql('commit').run();
      faultPoint();
      replies = current.answered;
      if (isSynced) noteReplies(replies);
      return result;
    } catch (error) {
      rollback(database);
      throw error;
    } finally {
      current = undefined;
    }
  }

  const isMarkedSealed = (): boolean => sql('pragma user_version').get()?.['user_version'] === sealedMark;
  const markSealed = (): void => database.exec(`pragma user_version = ${sealedMark}`);
  const totalChanges = (): number => Number(sql('select total_changes() as changes').get()?.['changes']);

  /** A worker that stood still while its run ended may have an answer to write. */
  function takeSealOff(): void {
    if (isOfRun(path)) unsealForChange(dirname(path));
    database.exec('pragma user_version = 0');
  }

  /** NORMAL: COMMIT leaves the log to `sync`. The log is in order, so what is durable later makes all before it durable. */
  function unsynced<T>(work: (totals: Totals) => T): T {
    database.exec('pragma synchronous = normal');
    isSynced = false;
    try {
      return immediate(work);
    } finally {
      isSynced = true;
      database.exec('pragma synchronous = full');
    }
  }

  function snapshot<T>(read: () => T): T {
    if (current !== undefined) return read();
    sql('begin').run();
    try {
      return read();
    } finally {
      rollback(database);
    }
  }

  async function sync(): Promise<void> {
    const committed = replies;
    await log.sync();
    noteReplies(committed);
  }

  /** A full disk costs the tally, not the replies. */
  function noteReplies(count: number): void {
    try {
      tally?.note(count);
    } catch {
      // It says less than there is.
    }
  }

  function close(): void {
    database.close();
    log.close();
    tally?.close();
  }

  return { sql, isMarkedSealed, markSealed, immediate, unsynced, sync, snapshot, close };
}

/** SQLite may have rolled back by itself already (disk full, I/O error). */
function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback');
}
