/** The runs of a store on servers, as `gc` looks at them and removes them. */
import { hostname } from 'node:os';
import { counted } from '../../../../domain/counted.ts';
import { segmentFolder } from '../../../../domain/manifest-segments.ts';
import type { BlobFacts } from '../../blobs/blob-store.ts';
import type { RunCatalog } from '../../catalog/run-catalog.ts';
import { filesOfRun } from '../../files-of-run.ts';
import { unfinishedMs } from '../../gc/leftovers.ts';
import type { Removable } from '../../gc/removable.ts';
import { inUse, type LookedRun, type RunKeeper, unreadable } from '../../gc/run-keeper.ts';
import type { Postgres } from '../postgres.ts';
import { segmentsOf } from '../catalog/postgres-manifest.ts';
import { removeObjects } from '../catalog/remove-run.ts';

interface Store {
  readonly database: Postgres;
  readonly catalog: RunCatalog;
}

/** What a run takes is what its objects take: rows of all runs are in the same tables. */
export function keptRuns(store: Store): RunKeeper {
  const { catalog } = store;
  return {
    look: (id) => looked(catalog, id),
    bytes: async (id) => bytesOf(await catalog.home(id).blobs.list('')),
    ownership: (id) => catalog.ownership(id),
    isGone: async (id) => !(await catalog.has(id)),
    remove: (id) => remove(catalog, id),
    leftovers: async (id, nowMs) => ({ removable: await leftovers(store, id, nowMs), kept: [] }),
  };
}

async function looked(catalog: RunCatalog, id: string): Promise<LookedRun> {
  const { place } = catalog.home(id);
  try {
    return { id, place, manifest: await catalog.home(id).manifest(), fault: null };
  } catch (error) {
    return { id, place, manifest: null, fault: unreadable(error) };
  }
}

/** Workers of a killed owner may still have calls in flight; none of their steps counts from then on. */
async function remove(catalog: RunCatalog, id: string): Promise<null> {
  const ledger = await catalog.home(id).openAnyLedger();
  try {
    await ledger.takeOver(`gc by ${hostname()}/${process.pid}`);
  } finally {
    await ledger.close();
  }
  await catalog.remove(id);
  return null;
}

/** Objects of merged and replaced tables, of earlier segments, and of attempts that were killed. */
async function leftovers(store: Store, id: string, nowMs: number): Promise<Removable[]> {
  const { catalog } = store;
  const objects = (await catalog.ownership(id).isOwned()) ? [] : await unneeded(store, id, nowMs);
  if (objects.length === 0) return [];
  return [
    {
      kind: 'orphan',
      name: `objects of run ${id}`,
      path: catalog.home(id).place,
      bytes: bytesOf(objects),
      why: `${counted(objects.length, 'replaced table')} of a complete run`,
      remove: () => removeAsOwner(store, id, nowMs),
    },
  ];
}

async function removeAsOwner(store: Store, id: string, nowMs: number): Promise<string | null> {
  const { catalog } = store;
  const owned = await catalog.ownership(id).take();
  if (owned === null) return inUse;
  try {
    const keys = (await unneeded(store, id, nowMs)).map(({ key }) => key);
    await removeObjects(catalog.home(id).blobs, keys);
    return null;
  } finally {
    await owned.release();
  }
}

/** Of a complete run that nobody has changed for a while: readers fetch the tables of the manifest that they read. */
async function unneeded(store: Store, id: string, nowMs: number): Promise<BlobFacts[]> {
  const home = store.catalog.home(id);
  const manifest = await home.manifest().catch(() => null);
  if (manifest?.state !== 'complete' || nowMs - Date.parse(manifest.updatedAt) < unfinishedMs) return [];
  const ledger = await home.openLedger(manifest);
  try {
    const files = filesOfRun(manifest, await ledger.parts()).map(({ file }) => file);
    const named = new Set([...files, ...(await segmentFiles(store, id))]);
    return (await home.blobs.list('')).filter(({ key }) => isTable(key) && !named.has(key));
  } finally {
    await ledger.close();
  }
}

async function segmentFiles({ database }: Store, id: string): Promise<string[]> {
  const [row] = await database.query<{ readonly manifest: string }>('select manifest from run where id = $1', [id]);
  return segmentsOf(row?.manifest ?? '', id).map(({ file }) => file);
}

/** Inputs stay in any case. */
const isTable = (key: string): boolean => key.endsWith('.parquet') || key.startsWith(`${segmentFolder}/`);

const bytesOf = (objects: readonly BlobFacts[]): number => objects.reduce((sum, { bytes }) => sum + bytes, 0);
