/** Prepared statements and transactions over an open ledger file. */
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { ledgerFault } from './corruption.ts';
import { faultPoint } from './fault-point.ts';
import { createFileSync } from './file-sync.ts';
import { unsealForChange } from './ledger-seal.ts';
import { createTally } from './tally.ts';
import { loadTotals, saveTotals, type Totals } from './totals.ts';
import { isOfRun } from './run-paths.ts';

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
  /** Waits for the disk; the event loop goes on meanwhile. */
  sync(): Promise<void>;
  /** Runs `read` on one consistent state of the ledger. */
  snapshot<T>(read: () => T): T;
  close(): void;
}

/** SQLite keeps one number for its users in the file's header. */
const sealedMark = 1;

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

export function withTransactions(database: DatabaseSync, path: string): LedgerDatabase {
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
export function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback');
}
