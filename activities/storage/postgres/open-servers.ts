/** Opens a store on PostgreSQL and S3 for this process. */
import { InputError, MissingPartError } from '../../../domain/errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { rememberStore } from '../opened-store.ts';
import type { Servers } from '../servers.ts';
import { s3Blobs } from '../s3/s3-blobs.ts';
import { checkBlobs, checkStore } from './check-servers.ts';
import { postgresCatalog } from './catalog/postgres-catalog.ts';
import { keptRuns } from './gc/kept-runs.ts';
import { storeLeftovers } from './gc/store-leftovers.ts';
import { openPostgresLedger } from './ledger/open-ledger.ts';
import { openPostgres } from './postgres.ts';
import { postgresAccounts } from './postgres-accounts.ts';

/**
 * From then on the folder of copies stands for the store. Rejects with why the database cannot be used: it cannot be
 * reached, refuses this role, or has tables of another version.
 * @param as a command is told at once; a worker waits for a database that restarts, and has the bucket prove itself by
 *   a round trip, since it would take steps first
 */
export async function openServers({ store, blobs }: Servers, copies: string, as: 'command' | 'worker'): Promise<void> {
  const database = openPostgres(store);
  const id = await unlessUnusable(async () => {
    if (as === 'command') await checkStore(store);
    const [row] = await database.query<{ readonly id: string }>('select id from store');
    if (as === 'worker') await checkBlobs(blobs);
    return row?.id ?? '';
  });
  makeFolder(copies);
  const servers = { database, blobs: s3Blobs(blobs), copies, openLedger: openPostgresLedger };
  const catalog = postgresCatalog(servers);
  rememberStore({
    runsDir: copies,
    name: database.name,
    id,
    catalog,
    // Its sessions are the process's.
    accounts: { ...postgresAccounts(database), close: async () => {} },
    kept: keptRuns({ database, catalog }),
    leftovers: (nowMs) => storeLeftovers(servers, nowMs),
  });
}

/** Whoever reads it can do something about it. */
async function unlessUnusable<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof InputError || error instanceof MissingPartError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new MissingPartError(`the store cannot be used: ${why}; \`evenkeel doctor\` checks each of its parts`, {
      cause: error,
    });
  }
}
