/** Keeps the states of accounts in PostgreSQL, for all hosts: one row an account, the database's clock. */
import { newAccountState } from '../../../domain/accounts/account-state.ts';
import { canonicalJson, sha256 } from '../../../domain/ids.ts';
import { type AccountStore, storedState } from '../../calls/accounts/account-store.ts';
import type { Postgres } from './postgres.ts';

export function postgresAccounts(database: Postgres): AccountStore {
  let isTidy = false;
  return {
    async change(identity, work) {
      if (!isTidy) await forgetUnused(database);
      isTidy = true;
      const id = sha256(canonicalJson({ endpoint: identity.endpoint, keyVariable: identity.keyVariable }));
      return database.transaction(async (query) => {
        const [row] = await query<LockedAccount>('select state, now_ms from locked_account($1)', [id]);
        if (row === undefined) throw new Error('locked_account returned no row');
        const state = row.state === null ? newAccountState() : storedState(row.state);
        const result = work(state, row.now_ms);
        await query('update account set state = $2, changed_at = now() where identity = $1', [
          id,
          JSON.stringify(state),
        ]);
        return result;
      });
    },
    async states() {
      const rows = await database.query<{ readonly state: string }>("select state from account where state <> ''");
      return rows.map(({ state }) => storedState(state));
    },
    close: () => database.close(),
  };
}

interface LockedAccount {
  readonly state: string | null;
  readonly now_ms: number;
}

async function forgetUnused(database: Postgres): Promise<void> {
  await database.query("delete from account where changed_at < now() - interval '7 days'");
  await database.query("delete from commit_slot where changed_at < now() - interval '7 days'");
}
