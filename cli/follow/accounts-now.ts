/** What the accounts of a run do at this moment: which are closed, and which limits calls wait for. */
import { closedAccountsOf, slowedAccountsOf } from '../../activities/calls/accounts/closed-accounts.ts';
import { accountStoreOf } from '../../activities/calls/accounts/open-store.ts';
import type { ClosedAccount } from '../../domain/accounts/account-state.ts';
import type { SlowedAccount } from '../../domain/accounts/slowed-account.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';

export interface AccountsNow {
  /** Accounts of the run's models that their endpoints have closed. */
  readonly closed: readonly ClosedAccount[];
  /** Open accounts at whose limits calls wait. */
  readonly slowed: readonly SlowedAccount[];
}

const none: AccountsNow = { closed: [], slowed: [] };

/** Nothing if the accounts cannot be read: the next call reports that. */
export async function accountsNow({ spec }: Pick<Manifest, 'spec'>): Promise<AccountsNow> {
  try {
    const store = accountStoreOf(cacheFolder(process.env));
    return {
      closed: await closedAccountsOf(spec, store, Date.now()),
      slowed: await slowedAccountsOf(spec, store, Date.now()),
    };
  } catch {
    return none;
  }
}

/** Returns what was read last, and begins to read again unless that is under way. */
export function followAccounts(manifest: Pick<Manifest, 'spec'>): () => AccountsNow {
  let [last, isReading] = [none, false];
  const read = async (): Promise<void> => {
    isReading = true;
    last = await accountsNow(manifest);
    isReading = false;
  };
  return () => {
    if (!isReading) void read();
    return last;
  };
}
