/** Where a run on servers is kept: what its home promises beyond the catalog's contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postgresCatalog } from '../../../../activities/storage/postgres/catalog/postgres-catalog.ts';
import { openPostgresLedger } from '../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openServers } from '../../../../activities/storage/postgres/open-servers.ts';
import { openPostgres, type Postgres } from '../../../../activities/storage/postgres/postgres.ts';
import type { BlobStore } from '../../../../activities/storage/blobs/blob-store.ts';
import type { RunHome } from '../../../../activities/storage/home/run-home.ts';
import { publishManifest, updateManifest } from '../../../../activities/storage/manifest.ts';
import { s3Blobs } from '../../../../activities/storage/s3/s3-blobs.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { sha256 } from '../../../../domain/ids.ts';
import { storeOf } from '../../../../workers/store.ts';
import { runCommand } from '../../../support/command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { manifest } from '../../../activities/storage/manifest-fixture.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres, storeIn } from './on-postgres.ts';

interface Place {
  readonly store: string;
  readonly blobs: BlobStore;
}

const newPlace = async (): Promise<Place> => ({
  store: await newPostgresStore('ek_worker'),
  blobs: s3Blobs(newObjects()),
});

/** As another host opens it: with sessions and copies of its own. */
function homeIn({ store, blobs }: Place, through = (direct: Postgres): Postgres => direct): RunHome {
  const direct = openPostgres(store);
  onTestFinished(() => direct.close());
  const database = through(direct);
  return postgresCatalog({ database, blobs, copies: temporaryFolder(), openLedger: openPostgresLedger }).home('a');
}

async function newRun(place: Place): Promise<RunHome> {
  const database = openPostgres(place.store);
  onTestFinished(() => database.close());
  const servers = { database, blobs: place.blobs, copies: temporaryFolder(), openLedger: openPostgresLedger };
  await postgresCatalog(servers).create('a', async () => ({ ...manifest, runId: 'a' }));
  return homeIn(place);
}

const description = { table: 'loops', page: 'loops/m/r1p0', schemaVersion: 1, revision: 1 };
const bytes = new TextEncoder().encode('rows');

onPostgres('the home of a run on PostgreSQL', () => {
  onObjects('and S3', () => {
    test('changes of the manifest by several hosts at once are all kept', async () => {
      const place = await newPlace();
      const homes = [await newRun(place), homeIn(place), homeIn(place)];
      const added = homes.flatMap((home, host) =>
        [0, 1, 2, 3].map((index) =>
          updateManifest(home, (old) => ({
            ...old,
            replays: { ...old.replays, [`m${host}-${index}`]: { file: 'inputs/x', sha256: 'x' } },
          })),
        ),
      );
      await Promise.all(added);
      expect(Object.keys((await homeIn(place).manifest()).replays)).toHaveLength(12);
    });

    // Red without the old text in `update run`.
    test('a change by a process that has lost the lock without noticing is refused', async () => {
      const place = await newPlace();
      const other = await newRun(place);
      const saying = (text: string) => (old: Manifest) => ({ ...old, stateDetail: text });
      const slow = homeIn(place, (database) => ({
        ...database,
        async transaction(work) {
          await other.changeManifest(saying('meanwhile'));
          return database.transaction(work);
        },
      }));
      await expect(slow.changeManifest(saying('late'))).rejects.toThrow('another process has changed the manifest');
      expect((await other.manifest()).stateDetail).toBe('meanwhile');
    });

    // Red if `stage` does not wait for the bucket.
    test('a part is durable only when the bucket has it, and then every host has it', async () => {
      const place = await newPlace();
      const home = await newRun(place);
      const none = (): Promise<never> => Promise.reject(new Error('no bucket'));
      const cutOff = homeIn({ ...place, blobs: { ...place.blobs, putImmutable: none } });
      await expect(cutOff.parts.stage('loops/x', description, 1, bytes).durable).rejects.toThrow('no bucket');
      const { record, durable, publish } = home.parts.stage('loops/x', description, 1, bytes);
      await durable;
      publish();
      const ledger = await home.openLedger(manifest);
      await ledger.replaceParts(await ledger.takeOver('test'), [record]);
      await publishManifest(home, ledger);
      const other = homeIn(place);
      expect(await other.parts.damaged(ledger, false)).toEqual([]);
      const tables = await other.tables();
      expect(tables).toMatchObject({ folder: other.folder, manifest: { parts: [{ path: record.path }] } });
      // What a disk has changed since is fetched again.
      writeFileSync(join(other.folder, record.path), 'other rows');
      await other.tables();
      expect(readFileSync(join(other.folder, record.path), 'utf8')).toBe('rows');
      const emptied = homeIn({ ...place, blobs: { ...place.blobs, list: async () => [] } });
      expect(await emptied.parts.damaged(ledger, false)).toEqual([record]);
      // Red if only sizes are looked at, or if a damaged object stays in the place of the one that is made again.
      const etag = (await home.blobs.getRoot(record.path))?.etag ?? null;
      expect(await home.blobs.compareAndSwap(record.path, etag, new TextEncoder().encode('raws'))).not.toBeNull();
      expect(await home.parts.damaged(ledger, true)).toEqual([record]);
      await home.parts.stage('loops/x', description, 1, bytes).durable;
      expect(await home.parts.damaged(ledger, true)).toEqual([]);
      await ledger.close();
    });

    // Red before: whoever read the run was told to repair it, and the repair ended with the same message.
    test('damaged and missing segments of the manifest are made again from the ledger', async () => {
      const place = await newPlace();
      const home = await newRun(place);
      const ledger = await home.openLedger(manifest);
      const parts = Array.from({ length: 2500 }, (_, index) => {
        const page = `loops/m/r1p${index}`;
        const path = `loops/p${String(index).padStart(4, '0')}.r1.0123456789ab.parquet`;
        return { ...description, page, path, rows: 1, sha256: sha256(path), bytes: 4 };
      });
      await ledger.replaceParts(await ledger.takeOver('test'), parts);
      await publishManifest(home, ledger);
      const before = await home.manifest();
      const segments = await home.blobs.list('segments/');
      expect([segments.length, before.parts.length]).toEqual([2, 2500]);
      expect(await home.parts.mendSegments()).toEqual({ restored: [], replaced: [] });

      const [spoiled, missing] = segments.map(({ key }) => key) as [string, string];
      const etag = (await home.blobs.getRoot(spoiled))?.etag ?? null;
      await home.blobs.compareAndSwap(spoiled, etag, new TextEncoder().encode('[]'));
      await home.blobs.remove(missing);
      const mended = await home.parts.mendSegments();
      expect([...mended.restored, ...mended.replaced].toSorted()).toEqual([spoiled, missing].toSorted());
      expect(await home.parts.mendSegments()).toEqual({ restored: [], replaced: [] });
      const inOrder = (found: Manifest): string[] => found.parts.map(({ path }) => path).toSorted();
      expect(inOrder(await homeIn(place).manifest())).toEqual(inOrder(before));
      await ledger.close();
    });

    // Red if a queue is named for the folder of copies.
    test('queues have the same names on every host of a store, and others in another store', async () => {
      const [one, other] = [await newPostgresStore('ek_worker'), await newPostgresStore('ek_worker')];
      const blobs = newObjects();
      const storeOn = async (store: string): Promise<string> => {
        const copies = temporaryFolder();
        await openServers({ store, blobs }, copies, 'command');
        return storeOf(copies);
      };
      const [first, second, third] = [await storeOn(one), await storeOn(one), await storeOn(other)];
      expect([second === first, third === first, /^[0-9a-f]{8}$/.test(first)]).toEqual([true, false, true]);
    });

    // Red without the proof in `serve`: the second would wait for Temporal.
    test('a worker whose store cannot be used ends and says why, before it asks Temporal', async () => {
      const temporal = { TEMPORAL_ADDRESS: '127.0.0.1:1', EVENKEEL_CACHE: temporaryFolder() };
      const worker = (store: string, blobs: string) =>
        runCommand(['worker', '--roles', 'io'], {
          ...{ ...process.env, ...temporal },
          ...{ EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs },
        });
      const unprepared = await worker(storeIn('unprepared'), newObjects());
      expect([unprepared.status, unprepared.output]).toEqual([2, expect.stringMatching(/tables have version 0/)]);
      const noBucket = await worker(await newPostgresStore('ek_worker'), 's3://no-such-bucket/x');
      expect([noBucket.status, noBucket.output]).toEqual([
        2,
        expect.stringMatching(/store cannot be used: .*no-such-b/),
      ]);
    });
  });
});
