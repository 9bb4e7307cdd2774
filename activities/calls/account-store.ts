/** Keeps an account's state: in this process, or in a file that all processes of a user share. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AccountState, isTight, joinState, newAccountState } from '../../domain/accounts/account-state.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { makeFolder } from '../storage/files/make-folder.ts';
import { InputError } from '../../domain/errors.ts';

/** Accounts with the same endpoint and key variable share their limits, whatever name a spec gives them. */
export interface AccountIdentity {
  readonly endpoint: string;
  readonly keyVariable: string | null;
}

/** One account's state; `holder` identifies this process among those that share it. */
export interface AccountStore {
  readonly holder: string;
  /** Runs `work` while nobody else changes the state. */
  update<T>(work: (state: AccountState) => T): T;
}

export function memoryStore(): AccountStore {
  const state = newAccountState();
  return { holder: 'this process', update: (work) => work(state) };
}

/** A holder that has not updated the state for this long counts as dead, on any machine. */
const holderLifeMs = 30_000;
/** How often a process with calls in flight must touch the state. */
export const holderTouchMs = 10_000;
const forgottenAfterMs = 7 * 24 * 3_600_000;

/** How often a process reads the shared state of an account that has no known limits. */
const relaxedLookMs = 250;

export interface AccountFile {
  /** For an account with limits in the spec: shares its state at every call. */
  store(identity: AccountIdentity): AccountStore;
  /**
   * For an account without limits in the spec: works on a local copy and syncs now and then,
   * until the endpoint limits it.
   */
  relaxedStore(identity: AccountIdentity): AccountStore;
  close(): void;
}

/** The stores of one file. It holds only a few minutes of state, and may be deleted when nothing runs. */
export function openAccountFile(path: string, nowMs: () => number = Date.now): AccountFile {
  const database = openDatabase(path, nowMs());
  const select = database.prepare('select state from account where identity = ?');
  const upsert = database.prepare(
    'insert into account (identity, state, at_ms) values (?, ?, ?) on conflict (identity) do update set state = ' +
      'excluded.state, at_ms = excluded.at_ms',
  );
  const holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

  function update<T>(name: AccountIdentity, work: (state: AccountState) => T): T {
    const identity = sha256(canonicalJson(name));
    database.exec('begin immediate');
    try {
      const stored = select.get(identity)?.['state'];
      const state = { ...(stored === undefined ? newAccountState() : storedState(String(stored))), name };
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

  function relaxedStore(identity: AccountIdentity): AccountStore {
    let local = newAccountState();
    let before = newAccountState();
    let lookedAtMs = -Infinity;
    const together = <T>(work: (state: AccountState) => T): T =>
      update(identity, (state) => {
        joinState(state, local, before, holder);
        const result = work(state);
        [local, before, lookedAtMs] = [structuredClone(state), structuredClone(state), performance.now()];
        return result;
      });
    return {
      holder,
      update(work) {
        if (isTight(local) || performance.now() - lookedAtMs > relaxedLookMs) return together(work);
        const result = work(local);
        if (isTight(local)) together(() => {});
        return result;
      },
    };
  }

  return {
    store: (identity) => ({ holder, update: (work) => update(identity, work) }),
    relaxedStore,
    close: () => database.close(),
  };
}

/** Read-only states of the accounts used in the last week. */
export function accountStates(path: string): readonly AccountState[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    return database
      .prepare('select state from account')
      .all()
      .map(({ state }) => storedState(String(state)));
  } finally {
    database.close();
  }
}

/** Older versions stored fewer fields. */
const storedState = (json: string): AccountState => ({
  ...newAccountState(),
  ...(JSON.parse(json) as Partial<AccountState>),
});

function openDatabase(path: string, nowMs: number): DatabaseSync {
  try {
    makeFolder(dirname(path));
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
    database.exec(
      'create table if not exists account (identity text primary key, state text not null, at_ms integer not null)',
    );
    database.prepare('delete from account where at_ms < ?').run(nowMs - forgottenAfterMs);
    return database;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `cannot store account limits (${why}); delete the file, or set EVENKEEL_CACHE to a writable folder`,
      {
        file: path,
      },
    );
  }
}

/** Frees the slots of dead processes: at once on this machine, after `holderLifeMs` on others. */
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
