import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteAccounts } from '../../../activities/calls/accounts/sqlite-accounts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { accountStoreContract } from './account-store-contract.ts';

accountStoreContract(() => join(temporaryFolder(), 'cache', 'accounts.sqlite'));

test('reading the states of a file that does not exist creates none', async () => {
  const file = join(temporaryFolder(), 'accounts.sqlite');
  expect(await sqliteAccounts(file).states()).toEqual([]);
  expect(existsSync(file)).toBe(false);
});
