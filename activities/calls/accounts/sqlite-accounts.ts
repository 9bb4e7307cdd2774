/** Keeps the states of accounts in a file that all processes of a user share. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newAccountState } from '../../../domain/accounts/account-state.ts';
import { InputError } from '../../../domain/errors.ts';
import { canonicalJson, sha256 } from '../../../domain/ids.ts';
import { makeFolder } from '../../storage/files/make-folder.ts';
import { useWriteAheadLog } from '../../storage/files/write-ahead-log.ts';
import { type AccountStore, storedState } from './account-store.ts';

const forgottenAfterMs = 7 * 24 * 3_600_000;

export const accountFileIn = (cacheFolder: string): string => join(cacheFolder, 'accounts.sqlite');

/** @param file opened, and created, by the first change */
export function sqliteAccounts(file: string, nowMs: () => number = Date.now): AccountStore {
  let opened: ReturnType<typeof openAccounts> | undefined;
  return {
    async change({ endpoint, keyVariable }, work) {
      opened ??= openAccounts(file, nowMs());
      const { database, select, upsert } = opened;
      const identity = sha256(canonicalJson({ endpoint, keyVariable }));
      database.exec('begin immediate');
      try {
        const stored = select.get(identity)?.['state'];
        const state = stored === undefined ? newAccountState() : storedState(String(stored));
        const result = work(state, nowMs());
        upsert.run(identity, JSON.stringify(state), nowMs());
        database.exec('commit');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    states: async () => statesIn(file),
    async close() {
      opened?.database.close();
      opened = undefined;
    },
  };
}

function statesIn(file: string): ReturnType<typeof storedState>[] {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    return database
      .prepare('select state from account')
      .all()
      .map(({ state }) => storedState(String(state)));
  } finally {
    database.close();
  }
}

function openAccounts(path: string, nowMs: number) {
  const database = openDatabase(path, nowMs);
  return {
    database,
    select: database.prepare('select state from account where identity = ?'),
    upsert: database.prepare(
      'insert into account (identity, state, at_ms) values (?, ?, ?) on conflict (identity) do update set state = ' +
        'excluded.state, at_ms = excluded.at_ms',
    ),
  };
}

function openDatabase(path: string, nowMs: number): DatabaseSync {
  try {
    makeFolder(dirname(path));
    const database = new DatabaseSync(path, { timeout: 10_000 });
    useWriteAheadLog(database);
    database.exec('pragma synchronous = normal');
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
