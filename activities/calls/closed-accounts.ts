/** Accounts that are closed for a while, or at a limit: shown to users, who can open closed ones by hand. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  closedAccount,
  type ClosedAccount,
  openAccount,
  slowedAccount,
  type SlowedAccount,
} from '../../domain/accounts/account-state.ts';
import type { Spec } from '../../schemas/spec.ts';
import { accountStates, openAccountFile } from './account-store.ts';
import { accountIdentity } from './models.ts';

export const accountFileIn = (cacheFolder: string): string => join(cacheFolder, 'accounts.sqlite');

/** @param capOf the longest closure to respect, by endpoint and key variable; the default if undefined */
export function closedAccounts(
  file: string,
  nowMs: number,
  capOf: (account: ClosedAccount) => number | undefined = () => undefined,
): ClosedAccount[] {
  if (!existsSync(file)) return [];
  return accountStates(file).flatMap((state) => {
    const longest = closedAccount(state, { maxClosedMs: Infinity }, nowMs);
    return longest === null ? [] : (closedAccount(state, { maxClosedMs: capOf(longest) }, nowMs) ?? []);
  });
}

/** Closed accounts that a run's models use. */
export function closedAccountsOf({ providers }: Pick<Spec, 'providers'>, file: string, nowMs: number): ClosedAccount[] {
  const used = Object.values(providers).map((account) => ({
    ...accountIdentity(account),
    cap: account.limits.maxClosedMs,
  }));
  const usedAs = ({ endpoint, keyVariable }: ClosedAccount) =>
    used.find((account) => account.endpoint === endpoint && account.keyVariable === keyVariable);
  if (used.length === 0) return [];
  return closedAccounts(file, nowMs, (account) => usedAs(account)?.cap).filter(
    (account) => usedAs(account) !== undefined,
  );
}

/** Accounts that a run's models use and whose calls wait for a limit, although they are open. */
export function slowedAccountsOf({ providers }: Pick<Spec, 'providers'>, file: string, nowMs: number): SlowedAccount[] {
  const used = Object.values(providers).map(accountIdentity);
  if (used.length === 0 || !existsSync(file)) return [];
  return accountStates(file).flatMap((state) => {
    const slowed = slowedAccount(state, nowMs);
    const isUsed = used.some(
      ({ endpoint, keyVariable }) => endpoint === slowed?.endpoint && keyVariable === slowed.keyVariable,
    );
    const isClosed = closedAccount(state, { maxClosedMs: Infinity }, nowMs) !== null;
    return slowed !== null && isUsed && !isClosed ? [slowed] : [];
  });
}

/** Opens every account of that endpoint; returns how many there are. */
export function openAccounts(file: string, endpoint: string): number {
  if (!existsSync(file)) return 0;
  const accounts = openAccountFile(file);
  try {
    const names = accountStates(file).flatMap(({ name }) =>
      name?.endpoint === endpoint.replace(/\/+$/, '') ? [name] : [],
    );
    for (const name of names) accounts.store(name).update(openAccount);
    return names.length;
  } finally {
    accounts.close();
  }
}

export const closedText = ({ endpoint, keyVariable, untilMs, why }: ClosedAccount): string =>
  `closed until ${new Date(untilMs).toISOString().replace(/\.\d+Z/, 'Z')}: account ` +
  `${endpoint}${keyVariable === null ? '' : ` with the key of ${keyVariable}`} (${why}); "evenkeel accounts ` +
  `--open ${endpoint}" opens it`;
