/** Accounts that are closed for a while, or at a limit: shown to users, who can open closed ones by hand. */
import {
  closedAccount,
  type ClosedAccount,
  openAccount,
  type ShownTo,
} from '../../../domain/accounts/account-state.ts';
import { slowedAccount, type SlowedAccount } from '../../../domain/accounts/slowed-account.ts';
import { hasDayLimit } from '../../../domain/accounts/stated-limits.ts';
import type { Spec } from '../../../schemas/spec.ts';
import { withPlainScheme } from '../../../schemas/spec/account.ts';
import { accountIdentity } from './account-identity.ts';
import type { AccountStore } from './account-store.ts';

/** @param shownTo the limits of whoever looks, by endpoint and key variable; the default if undefined */
export async function closedAccounts(
  store: Pick<AccountStore, 'states'>,
  nowMs: number,
  shownTo: (account: ClosedAccount) => ShownTo | undefined = () => undefined,
): Promise<ClosedAccount[]> {
  return (await store.states()).flatMap((state) => {
    const longest = closedAccount(state, { maxClosedMs: Infinity }, nowMs);
    return longest === null ? [] : (closedAccount(state, shownTo(longest) ?? {}, nowMs) ?? []);
  });
}

/** Closed accounts that a run's models use. */
export async function closedAccountsOf(
  { providers }: Pick<Spec, 'providers'>,
  store: Pick<AccountStore, 'states'>,
  nowMs: number,
): Promise<ClosedAccount[]> {
  const used = Object.values(providers).map((account) => ({
    ...accountIdentity(account),
    shownTo: { maxClosedMs: account.limits.maxClosedMs, hasDayLimit: hasDayLimit(account.limits) },
  }));
  const usedAs = ({ endpoint, keyVariable }: ClosedAccount) =>
    used.find((account) => account.endpoint === endpoint && account.keyVariable === keyVariable);
  if (used.length === 0) return [];
  const closed = await closedAccounts(store, nowMs, (account) => usedAs(account)?.shownTo);
  return closed.filter((account) => usedAs(account) !== undefined);
}

/** Accounts that a run's models use and whose calls wait for a limit, although they are open. */
export async function slowedAccountsOf(
  { providers }: Pick<Spec, 'providers'>,
  store: Pick<AccountStore, 'states'>,
  nowMs: number,
): Promise<SlowedAccount[]> {
  const used = Object.values(providers).map(accountIdentity);
  if (used.length === 0) return [];
  return (await store.states()).flatMap((state) => {
    const slowed = slowedAccount(state, nowMs);
    const isUsed = used.some(
      ({ endpoint, keyVariable }) => endpoint === slowed?.endpoint && keyVariable === slowed.keyVariable,
    );
    const isClosed = closedAccount(state, { maxClosedMs: Infinity }, nowMs) !== null;
    return slowed !== null && isUsed && !isClosed ? [slowed] : [];
  });
}

/** @param given as a person writes it */
export const isAt = ({ endpoint }: Pick<ClosedAccount, 'endpoint'>, given: string): boolean =>
  endpoint === withPlainScheme(given).replace(/\/+$/, '');

/** Opens every account of that endpoint; returns how many there are. */
export async function openAccounts(store: AccountStore, endpoint: string): Promise<number> {
  const names = (await store.states()).flatMap(({ name }) =>
    name !== undefined && isAt(name, endpoint) ? [name] : [],
  );
  for (const name of names) await store.change(name, openAccount);
  return names.length;
}

export const closedText = ({ endpoint, keyVariable, untilMs, why, isOwnLimit }: ClosedAccount): string =>
  `closed until ${new Date(untilMs).toISOString().replace(/\.\d+Z/, 'Z')}: account ` +
  `${endpoint}${keyVariable === null ? '' : ` with the key of ${keyVariable}`} (${why}); ` +
  (isOwnLimit ? 'a higher limit in the spec opens it' : `"evenkeel accounts --open ${endpoint}" opens it`);
