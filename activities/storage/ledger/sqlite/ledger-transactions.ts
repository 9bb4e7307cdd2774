/** Prepared statements and transactions over an open ledger file. */
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ledgerFault } from '../../files/corruption.ts';
import { faultPoint } from '../../files/fault-point.ts';
import { holdFile } from '../../files/held-files.ts';
import { createFileSync } from '../../files/file-sync.ts';
import { unsealForChange } from './ledger-seal.ts';
import { holdLogIndex, type LogIndex } from '../../files/log-index.ts';
import { createTally, type Tally } from './losses/tally.ts';
import type { Sql, Statement } from './statement.ts';
import { loadTotals, saveTotals, type Totals } from './totals.ts';
import { isOfRun } from '../../run-paths.ts';

export interface LedgerDatabase {
  /** Its file. */
  readonly path: string;
  /**
   * The statement for a text, prepared once. With `bigint` it returns every integer as a bigint; otherwise an integer
   * beyond 2^53 is an error.
   */
  readonly sql: Sql;
  /** Whether the file is marked as sealed. Any change, by any process, removes mark and seal. */
  isMarkedSealed(): boolean;
  markSealed(): void;
  /**
   * Runs `work` in one immediate transaction: no other process writes meanwhile. All of it is durable on return, or
   * rolled back if it throws. Within another `immediate` it joins that transaction. Changes to `totals` are saved with
   * it.
   */
  immediate<T>(work: (totals: Totals) => T): T;
  /** Like `immediate`, but durable only once a `sync` started afterwards has resolved. */
  unsynced<T>(work: (totals: Totals) => T): T;
  /** Waits for the disk while the event loop continues. */
  sync(): Promise<void>;
  /** Runs `work`, which writes nothing here, while no other connection writes. Use nothing else of it meanwhile. */
  locked<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `read` on one consistent state of the ledger. */
  snapshot<T>(read: () => T): T;
  close(): void;
}

/** Value of SQLite's `user_version`, a number for applications in the file's header. */
const sealedMark = 1;

/** Wraps statements, since reads too may find a damaged page of the file. */
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
  return new TransactionalDatabase(database, path);
}

class TransactionalDatabase implements LedgerDatabase {
  readonly #database: DatabaseSync;
  readonly path: string;
  readonly #log: ReturnType<typeof createFileSync>;
  readonly #tally: Tally | null;
  readonly #statements = new Map<string, Statement>();
  readonly #index: LogIndex;
  readonly #letGo: () => void;
  #current: Totals | undefined;
  /** Number of committed replies, and whether commits wait for the disk. */
  #replies = 0;
  #isSynced = true;

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.path = path;
    this.#log = createFileSync(`${path}-wal`);
    this.#index = holdLogIndex(path);
    this.#letGo = holdFile(path);
    this.#tally = isOfRun(path) ? createTally(path) : null;
  }

  readonly sql = (text: string, integers?: 'bigint'): Statement => {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const fresh = this.#prepared(text);
    if (integers === 'bigint') fresh.setReadBigInts(true);
    const statement = guarded(fresh, this.path);
    this.#statements.set(text, statement);
    return statement;
  };

  readonly immediate = <T>(work: (totals: Totals) => T): T => {
    if (this.#current !== undefined) return work(this.#current);
    this.sql('begin immediate').run();
    try {
      this.#index.refuseIfReplaced();
      const changesBefore = this.isMarkedSealed() ? this.#totalChanges() : null;
      const old = loadTotals(this.sql);
      this.#current = { ...old };
      const result = work(this.#current);
      saveTotals(this.sql, old, this.#current);
      if (changesBefore !== null && this.#totalChanges() > changesBefore) this.#takeSealOff();
      faultPoint();
      this.sql('commit').run();
      faultPoint();
      this.#replies = this.#current.answered;
      if (this.#isSynced) this.#noteReplies(this.#replies);
      return result;
    } catch (error) {
      rollback(this.#database);
      throw error;
    } finally {
      this.#current = undefined;
    }
  };

  readonly isMarkedSealed = (): boolean => this.sql('pragma user_version').get()?.['user_version'] === sealedMark;

  readonly markSealed = (): void => this.#database.exec(`pragma user_version = ${sealedMark}`);

  /**
   * NORMAL: COMMIT leaves the log to `sync`. The log is sequential, so when a later commit is durable, all earlier ones
   * are too.
   */
  readonly unsynced = <T>(work: (totals: Totals) => T): T => {
    this.#database.exec('pragma synchronous = normal');
    this.#isSynced = false;
    try {
      return this.immediate(work);
    } finally {
      this.#isSynced = true;
      this.#database.exec('pragma synchronous = full');
    }
  };

  readonly locked = async <T>(work: () => Promise<T>): Promise<T> => {
    this.sql('begin immediate').run();
    try {
      this.#index.refuseIfReplaced();
      const result = await work();
      faultPoint();
      return result;
    } finally {
      rollback(this.#database);
    }
  };

  readonly snapshot = <T>(read: () => T): T => {
    if (this.#current !== undefined) return read();
    this.sql('begin').run();
    try {
      return read();
    } finally {
      rollback(this.#database);
    }
  };

  readonly sync = async (): Promise<void> => {
    const committed = this.#replies;
    await this.#log.sync();
    this.#noteReplies(committed);
  };

  readonly close = (): void => {
    this.#database.close();
    this.#index.close();
    this.#letGo();
    this.#log.close();
    this.#tally?.close();
  };

  #prepared(text: string): StatementSync {
    try {
      return this.#database.prepare(text);
    } catch (error) {
      throw ledgerFault(error, this.path);
    }
  }

  #totalChanges(): number {
    return Number(this.sql('select total_changes() as changes').get()?.['changes']);
  }

  /** A worker that was suspended while its run ended may still have an answer to write. */
  #takeSealOff(): void {
    if (isOfRun(this.path)) unsealForChange(dirname(this.path));
    this.#database.exec('pragma user_version = 0');
  }

  /** A full disk loses the tally, not the replies. */
  #noteReplies(count: number): void {
    try {
      this.#tally?.note(count);
    } catch {
      // The tally then has fewer replies than the ledger.
    }
  }
}

/** SQLite may already have rolled back (disk full, I/O error). */
export function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback');
}
