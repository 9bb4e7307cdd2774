/** `accounts`: lists the accounts that their endpoints have closed, and opens one by hand. */
import type { AccountStore } from '../../activities/calls/accounts/account-store.ts';
import { closedAccounts, closedText, isAt, openAccounts } from '../../activities/calls/accounts/closed-accounts.ts';
import { accountStoreOf } from '../../activities/calls/accounts/open-store.ts';
import type { ClosedAccount } from '../../domain/accounts/account-state.ts';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export async function accounts({ open }: { readonly open?: string }, terminal: Terminal): Promise<ExitStatus> {
  const store = accountStoreOf(cacheFolder(process.env));
  try {
    return await listed(store, open, terminal);
  } finally {
    await store.close();
  }
}

async function listed(store: AccountStore, open: string | undefined, terminal: Terminal): Promise<ExitStatus> {
  if (open !== undefined && (await openAccounts(store, open)) === 0)
    throw new InputError(`no account at ${open} was used in the last week; give the baseUrl exactly as in the spec`, {
      field: '--open',
    });
  const closed = await closedAccounts(store, Date.now());
  for (const account of closed) terminal.out(plain(closedText(account)));
  if (open !== undefined) terminal.out(openedText(open, closed));
  else if (closed.length === 0) terminal.out('no account is closed');
  terminal.document({ closed });
  return exitStatus.done;
}

function openedText(endpoint: string, closed: readonly ClosedAccount[]): string {
  const isKept = closed.some((account) => isAt(account, endpoint));
  return isKept
    ? `not opened: ${endpoint} keeps to a limit per day of the spec; a higher limit there opens it`
    : `opened: ${endpoint}; runs continue within 30 s`;
}
