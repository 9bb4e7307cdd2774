/** The runs of a database: a row for each, with the root of its manifest; inputs, tables and segments are blobs. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InputError } from '../../../../domain/errors.ts';
import { blobsBelow } from '../../blobs/blobs-below.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { unknownRun } from '../../catalog/unknown-run.ts';
import { checkedRunId } from '../../catalog/run-id.ts';
import { type FoundRun, refuseCopy, type RunCatalog } from '../../catalog/run-catalog.ts';
import type { RunHome } from '../../home/run-home.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Postgres } from '../postgres.ts';
import { writeDump } from '../ledger/dump/write-dump.ts';
import { numberOf, openPostgresLedger } from '../ledger/open-ledger.ts';
import { postgresOwnership } from './ownership.ts';
import { removeRun } from './remove-run.ts';
import { postgresHome, type RunRow } from './postgres-home.ts';
import { storedRoot } from './postgres-manifest.ts';

/** What the runs of a store on servers are made of. */
export interface RunServers {
  readonly database: Postgres;
  readonly blobs: BlobStore;
  /** A folder of this machine, for copies of what is read as files; it may be emptied when nothing runs. */
  readonly copies: string;
  readonly openLedger: (database: Postgres, id: string) => Promise<Ledger>;
}

export function postgresCatalog(servers: RunServers): RunCatalog {
  const { database, blobs, copies } = servers;
  const ids = async (): Promise<string[]> =>
    (await database.query<{ readonly id: string }>('select id from run')).map(({ id }) => id);
  const row = async (id: string): Promise<RunRow | undefined> =>
    (await database.query<RunRow>('select place, manifest from run where id = $1', [checkedRunId(id)]))[0];
  const known = async (id: string): Promise<RunRow> => {
    const found = await row(id);
    if (found === undefined) throw new InputError(unknownRun(id, database.name, await ids()));
    return found;
  };
  const homeOf = (id: string): RunHome =>
    postgresHome({ ...servers, id, folder: join(copies, checkedRunId(id)), row: () => known(id) });

  async function find(id: string): Promise<FoundRun> {
    const home = homeOf(id);
    return { home, folder: home.folder, manifest: await home.manifest() };
  }

  async function create(id: string, fill: (inputs: BlobStore) => Promise<Manifest>): Promise<Manifest> {
    if ((await row(id)) !== undefined) throw alreadyThere(id);
    const place = `runs/${randomUUID()}`;
    const own = blobsBelow(blobs, place);
    const manifest = await fill(own);
    // Blobs first: a row never names one that is missing.
    const root = await storedRoot(own, manifest);
    if (!(await inserted(database, id, place, root))) throw alreadyThere(id);
    makeFolder(join(copies, id));
    return manifest;
  }

  return {
    ids,
    has: async (id) => (await row(id)) !== undefined,
    // A run is a row, or there is none.
    brokenIds: async () => [],
    find,
    findToChange: async (id) => refuseCopy(id, await find(id), 'make a run of that name'),
    home: homeOf,
    create,
    async receive(id, fill, ledger) {
      await create(id, fill);
      // Its ledger's own rows are made when it is first opened.
      await (await openPostgresLedger(database, id)).close();
      await writeDump(database, await numberOf(database, id), ledger());
    },
    remove: (id) => removeRun(database, blobs, checkedRunId(id)),
    ownership: (id) => postgresOwnership(database, id, async () => void (await known(id))),
  };
}

/** False if another process has created a run of this name. */
const inserted = (database: Postgres, id: string, place: string, root: string): Promise<boolean> =>
  database.transaction(async (query) => {
    const sql = 'insert into run (id, place, manifest) values ($1, $2, $3) on conflict (id) do nothing returning id';
    return (await query(sql, [id, place, root])).length === 1;
  });

const alreadyThere = (id: string): InputError =>
  new InputError(`run "${id}" already exists: perhaps another process has just created it; see \`evenkeel status\``);
