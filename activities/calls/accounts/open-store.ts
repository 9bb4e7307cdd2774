import type { AccountStore } from './account-store.ts';
import { accountFileIn, sqliteAccounts } from './sqlite-accounts.ts';

/** The accounts that this user's processes share on this machine. @param cacheFolder the user's */
export const accountStoreOf = (cacheFolder: string): AccountStore => sqliteAccounts(accountFileIn(cacheFolder));
