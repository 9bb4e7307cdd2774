/** Opens a store on PostgreSQL and S3 for this process. */
import { InputError, MissingPartError } from '../../../domain/errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { rememberStore } from '../opened-store.ts';
import type { Servers } from '../servers.ts';
import { s3Blobs } from '../s3/s3-blobs.ts';
import { impatient, type Patience, patient, workersPatience } from '../s3/silence.ts';
import { checkBlobs, checkStore } from './check-servers.ts';
import { postgresCatalog } from './catalog/postgres-catalog.ts';
import { keptRuns } from './gc/kept-runs.ts';
import { storeLeftovers } from './gc/store-leftovers.ts';
import { openPostgresLedger } from './ledger/open-ledger.ts';
import { openPostgres } from './postgres.ts';
import { postgresAccounts } from './postgres-accounts.ts';

/** How long each waits for an object store that does not answer. */
const patienceOf = { reader: impatient, command: patient, worker: workersPatience } as const;
type As = keyof typeof patienceOf;

/**
 * From then on the folder of copies stands for the store. Rejects with why the database cannot be used: it cannot be
 * reached, refuses this role, or has tables of another version.
 * @param as a command is told at once, and a reader, for which a person waits, does not wait long for a silent object
 *   store; a worker waits for a database that restarts, and has the bucket prove itself by a round trip, since it would
 *   take steps first
 * @param patience with a silent object store
 */
export async function openServers(
  { store, blobs }: Servers,
  copies: string,
  as: As,
  patience: Patience = patienceOf[as],
): Promise<void> {
  const database = openPostgres(store);
  const id = await unlessUnusable(async () => {
    if (as !== 'worker') await checkStore(store);
    const [row] = await database.query<{ readonly id: string }>('select id from store');
    if (as === 'worker') await checkBlobs(blobs, patience);
    return row?.id ?? '';
  });
  makeFolder(copies);
  const servers = { database, blobs: s3Blobs(blobs, patience), copies, openLedger: openPostgresLedger };
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
