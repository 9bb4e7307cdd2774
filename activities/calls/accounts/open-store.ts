import { openedStore } from '../../storage/opened-store.ts';
import type { AccountStore } from './account-store.ts';
import { accountFileIn, sqliteAccounts } from './sqlite-accounts.ts';

/**
 * The accounts that all hosts of the store share; without one on servers, those that this user's processes share on
 * this machine. @param cacheFolder the user's
 */
export const accountStoreOf = (cacheFolder: string): AccountStore =>
  openedStore()?.accounts ?? sqliteAccounts(accountFileIn(cacheFolder));
