import type { AccountStore } from '../../../activities/calls/accounts/account-store.ts';
import { sqliteAccounts } from '../../../activities/calls/accounts/sqlite-accounts.ts';

/** Opens the store at an address of a test, in whatever process: the path of a file. */
export const openAddress = (address: string): AccountStore => sqliteAccounts(address);
