import type { AccountStore } from '../../../activities/calls/accounts/account-store.ts';
import { sqliteAccounts } from '../../../activities/calls/accounts/sqlite-accounts.ts';
import { isPostgresAddress } from '../../../activities/storage/servers.ts';
import { openPostgres } from '../../../activities/storage/postgres/postgres.ts';
import { postgresAccounts } from '../../../activities/storage/postgres/postgres-accounts.ts';

/** Opens the store at an address of a test, in whatever process: the path of a file, or a database. */
export const openAddress = (address: string): AccountStore =>
  isPostgresAddress(address) ? postgresAccounts(openPostgres(address)) : sqliteAccounts(address);
