/** What killed commands left on servers: rows and objects of runs that were removed, or never made to their end. */
import type { BlobFacts } from '../../blobs/blob-store.ts';
import { unfinishedMs } from '../../gc/leftovers.ts';
import type { Removable } from '../../gc/removable.ts';
import { removeObjects, removeRows } from '../catalog/remove-run.ts';
import type { RunServers } from '../catalog/postgres-catalog.ts';
import type { Postgres } from '../postgres.ts';

/** A run's objects are stored before its row, and a move copies for hours. */
const objectsRestMs = 24 * unfinishedMs;

/** @param nowMs milliseconds since 1970 */
export async function storeLeftovers(servers: RunServers, nowMs: number): Promise<Removable[]> {
  return [...(await rowsWithoutRun(servers.database)), ...(await objectsWithoutRun(servers, nowMs))];
}

async function rowsWithoutRun(database: Postgres): Promise<Removable[]> {
  const rows = await database.query<{ readonly run: number }>(
    'select run from run_epoch where not exists (select from run where number = run_epoch.run) order by run',
  );
  return rows.map(({ run }) => ({
    kind: 'orphan',
    name: `rows of run number ${run}`,
    path: database.name,
    bytes: 0,
    why: 'of a run that was removed',
    // A number is given once.
    async remove() {
      await removeRows(database, run);
      return null;
    },
  }));
}

/** Below `runs/<uuid>/`. */
async function objectsWithoutRun({ database, blobs }: RunServers, nowMs: number): Promise<Removable[]> {
  const byPlace = Map.groupBy(await blobs.list('runs/'), ({ key }) => key.split('/', 2).join('/'));
  const left = (objects: readonly BlobFacts[]): boolean =>
    nowMs - Math.max(...objects.map(({ changedMs }) => changedMs)) >= objectsRestMs;
  const known = await places(database);
  return [...byPlace]
    .filter(([place, objects]) => !known.has(place) && left(objects))
    .map(([place, objects]) => ({
      kind: 'orphan',
      name: place,
      path: blobs.placeOf(place),
      bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
      why: 'objects of no run',
      async remove() {
        const now = await blobs.list(`${place}/`);
        if ((await places(database)).has(place) || (now.length > 0 && !left(now))) return 'changed meanwhile';
        await removeObjects(
          blobs,
          now.map(({ key }) => key),
        );
        return null;
      },
    }));
}

const places = async (database: Postgres): Promise<ReadonlySet<string>> =>
  new Set((await database.query<{ readonly place: string }>('select place from run')).map(({ place }) => place));
