import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { openPostgresLedger } from '../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../../activities/storage/postgres/postgres.ts';

/** Opens the ledger at an address of a test, in whatever process: a file's path, or a store's address and `#run`. */
export async function openLedgerAt(address: string): Promise<Ledger> {
  if (!address.startsWith('postgres:')) return openLedger(address);
  const [store = '', run = ''] = address.split('#');
  const database = openPostgres(store);
  const ledger = await openPostgresLedger(database, run);
  return {
    ...ledger,
    async close() {
      await ledger.close();
      await database.close();
    },
  };
}
