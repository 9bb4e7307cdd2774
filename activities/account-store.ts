/** Where an account's state is kept: in this process, or in a file that all processes of a user share. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AccountState, newAccountState } from '../domain/account-state.ts';
import { makeFolder } from './storage/make-folder.ts';
import { InputError } from '../domain/errors.ts';

/** One account's state; `holder` is this process among those that share it. */
export interface AccountStore {
  readonly holder: string;
  /** Runs `work` while nobody else changes the state. */
  update<T>(work: (state: AccountState) => T): T;
}

export function memoryStore(): AccountStore {
  const state = newAccountState();
  return { holder: 'this process', update: (work) => work(state) };
}

/** A holder that is not heard of for so long is dead, wherever it ran. */
const holderLifeMs = 30_000;
/** How often a process with calls in flight must touch the state. */
export const holderTouchMs = 10_000;
const forgottenAfterMs = 7 * 24 * 3_600_000;

/** The stores of one file. What it holds is a few minutes' memory: it may be deleted at any time when nothing runs. */
export function openAccountFile(path: string, nowMs: () => number = Date.now): { store(identity: string): AccountStore; close(): void } {
  const database = openDatabase(path, nowMs());
  const select = database.prepare('select state from account where identity = ?');
  const upsert = database.prepare(
    'insert into account (identity, state, at_ms) values (?, ?, ?) on conflict (identity) do update set state = excluded.state, at_ms = excluded.at_ms',
  );
  const holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

  function update<T>(identity: string, work: (state: AccountState) => T): T {
    database.exec('begin immediate');
    try {
      const stored = select.get(identity)?.['state'];
      const state = stored === undefined ? newAccountState() : (JSON.parse(String(stored)) as AccountState);
      dropDead(state, holder, nowMs());
      const result = work(state);
      upsert.run(identity, JSON.stringify(state), nowMs());
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  return {
    store: (identity) => ({ holder, update: (work) => update(identity, work) }),
    close: () => database.close(),
  };
}

function openDatabase(path: string, nowMs: number): DatabaseSync {
  try {
    makeFolder(dirname(path));
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('create table if not exists account (identity text primary key, state text not null, at_ms integer not null)');
    database.prepare('delete from account where at_ms < ?').run(nowMs - forgottenAfterMs);
    return database;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `cannot keep the limits of accounts (${why}); delete the file, or set EVENKEEL_CACHE to a folder that can be written`,
      {
        file: path,
      },
    );
  }
}

/** Places of processes that are gone are free again: at once on this machine, after `holderLifeMs` elsewhere. */
function dropDead(state: AccountState, self: string, nowMs: number): void {
  for (const [holder, { seenAtMs }] of Object.entries(state.holders)) {
    if (holder !== self && (nowMs - seenAtMs > holderLifeMs || isGone(holder))) delete state.holders[holder];
  }
}

function isGone(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
