/** Accounts and a sandbox that tell of what waits for them. */
import type { Account, Accounts } from '../calls/accounts/accounts.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Observe } from './events.ts';

/** @param observe undefined: the accounts themselves */
export function observedAccounts(accounts: Accounts, observe: Observe | undefined): Accounts {
  if (observe === undefined) return accounts;
  const known = new Map<Account, Account>();
  const observed = (account: Account): Account => {
    const one = known.get(account) ?? observedAccount(account, observe);
    known.set(account, one);
    return one;
  };
  return {
    ...accounts,
    open: (identity, limits, concurrency) => observed(accounts.open(identity, limits, concurrency)),
    local: (name, concurrency) => observed(accounts.local(name, concurrency)),
  };
}

const observedAccount = (account: Account, observe: Observe): Account => ({
  use(call, tokens, isCancelled, turn) {
    const model = turn?.model ?? '';
    const startMs = performance.now();
    let isWaiting = true;
    const ended = (): void => {
      if (isWaiting) observe({ kind: 'waited', model, ms: performance.now() - startMs });
      isWaiting = false;
    };
    observe({ kind: 'waiting', model });
    const begin = (): ReturnType<typeof call> => {
      ended();
      return call();
    };
    // Without room for longer than a minute the call does not begin.
    return account.use(begin, tokens, isCancelled, turn).finally(ended);
  },
  reach: account.reach,
  longestClosedMs: account.longestClosedMs,
  flush: () => account.flush(),
});

/** @param observe undefined: the sandbox itself */
export function observedSandbox(sandbox: Sandbox | null, observe: Observe | undefined): Sandbox | null {
  if (observe === undefined || sandbox === null) return sandbox;
  return {
    ...sandbox,
    async run(...args) {
      observe({ kind: 'sandbox', change: 1 });
      try {
        return await sandbox.run(...args);
      } finally {
        observe({ kind: 'sandbox', change: -1 });
      }
    },
  };
}
