/** What `gc` removes from servers, and what it must leave. Each is red without the line that gives it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunCatalog } from '../../../../activities/storage/catalog/run-catalog.ts';
import { openPostgres, type Postgres } from '../../../../activities/storage/postgres/postgres.ts';
import { openServers } from '../../../../activities/storage/postgres/open-servers.ts';
import { openedStore } from '../../../../activities/storage/opened-store.ts';
import { s3Blobs } from '../../../../activities/storage/s3/s3-blobs.ts';
import type { BlobStore } from '../../../../activities/storage/blobs/blob-store.ts';
import { sha256 } from '../../../../domain/ids.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { collect, type Wanted } from '../../../../workers/gc/collect.ts';
import { namesOf, removeAll } from '../../../workers/gc/gc-fixture.ts';
import { manifest } from '../../../activities/storage/manifest-fixture.ts';
import { endOf, startProgram } from '../../../support/command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { mainFile } from './move/main-file.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

const hourMs = 3_600_000;

interface Store {
  readonly servers: { readonly store: string; readonly blobs: string };
  readonly catalog: RunCatalog;
  readonly blobs: BlobStore;
  readonly database: Postgres;
  /** Makes a run with one input, of which nothing else is known. */
  run(id: string, own?: Partial<Manifest>): Promise<void>;
  look(wanted?: Partial<Wanted>): ReturnType<typeof collect>;
}

const put = (blobs: BlobStore, key: string): Promise<void> =>
  blobs.putImmutable(key, new TextEncoder().encode(key), sha256(key));

async function newStore(): Promise<Store> {
  const servers = { store: await newPostgresStore('ek_worker'), blobs: newObjects() };
  const copies = temporaryFolder();
  await openServers(servers, copies, 'command');
  const catalog = openedStore()?.catalog;
  if (catalog === undefined) throw new Error('the store was opened a moment ago');
  const database = openPostgres(servers.store);
  onTestFinished(() => database.close());
  return {
    ...{ servers, catalog, database, blobs: s3Blobs(servers.blobs) },
    async run(id, own = {}) {
      await catalog.create(id, async (inputs) => {
        await put(inputs, 'inputs/plan.json');
        return { ...manifest, runId: id, state: 'complete', updatedAt: new Date().toISOString(), ...own };
      });
      await (await catalog.home(id).openAnyLedger()).close();
    },
    look: async (wanted = {}) =>
      collect({
        ...{ runsDir: copies, ids: await catalog.ids(), isWanted: () => true, olderThanMs: null, incomplete: false },
        ...{ nowMs: Date.now(), env: { EVENKEEL_CACHE: join(copies, 'cache') }, temporary: join(copies, 'none') },
        ...{ caches: new Set() },
        ...wanted,
      }),
  };
}

const kept = ({ kept: all }: Awaited<ReturnType<Store['look']>>) =>
  Object.fromEntries(all.map(({ name, why }) => [name, why]));
const rows = async (database: Postgres): Promise<number> =>
  (await database.query<{ readonly n: number }>('select count(*)::int as n from run_total'))[0]?.n ?? -1;
const nothing = { isWanted: () => false };

onPostgres('gc on PostgreSQL', () => {
  onObjects('and S3', () => {
    test('a complete run goes with its rows and objects; one that may be resumed stays', async () => {
      const { run, look, catalog, blobs, database } = await newStore();
      await run('done');
      await run('half', { state: 'running' });
      const found = await look();
      expect([namesOf(found), kept(found)]).toEqual([['done'], { half: expect.stringContaining('--incomplete') }]);
      expect(found.removable[0]?.bytes).toBe('inputs/plan.json'.length);
      expect(await removeAll(found)).toEqual({ done: null });
      expect([await catalog.ids(), (await blobs.list('')).length, await rows(database)]).toEqual([['half'], 1, 1]);
      expect(await removeAll(await look({ incomplete: true }))).toEqual({ half: null });
      expect([await catalog.ids(), await blobs.list(''), await rows(database)]).toEqual([[], [], 0]);
    });

    test('a run that a process owns stays, also one that is taken after the listing', async () => {
      const { run, look, catalog } = await newStore();
      await run('done');
      const before = await look();
      const owned = await catalog.ownership('done').take();
      expect(await removeAll(before)).toEqual({ done: 'a process works on it' });
      expect(kept(await look())).toEqual({ done: 'a process works on it' });
      await owned?.release();
      expect(await catalog.ids()).toEqual(['done']);
    });

    test('of a run that was moved away the old copy goes, once the move has ended', async () => {
      const { run, look, catalog } = await newStore();
      await run('away', { state: 'running', moved: { to: '/runs', move: 'm', ended: true } });
      await run('leaving', { state: 'running', moved: { to: '/runs', move: 'm' } });
      await run('coming', { state: 'running', arriving: { from: '/runs', move: 'm' } });
      const found = await look();
      expect(found.removable.map(({ name, why }) => [name, why])).toEqual([
        ['away', 'moved to /runs, unchanged for 0 days'],
      ]);
      expect(kept(found)).toEqual({
        leaving: expect.stringContaining('has not ended: repeat the move'),
        coming: expect.stringContaining('is being moved here from /runs: repeat the move'),
      });
      await removeAll(found);
      expect(new Set(await catalog.ids())).toEqual(new Set(['leaving', 'coming']));
    });

    test('tables that no manifest names go, an hour after the last change of a complete run', async () => {
      const { run, look, catalog } = await newStore();
      await run('done');
      await run('half', { state: 'running' });
      for (const id of ['done', 'half'])
        for (const key of [
          'samples/study=a/p.r1.0123456789ab.parquet',
          'segments/0123456789ab.json',
          'inputs/other.json',
        ])
          await put(catalog.home(id).blobs, key);
      const later = { ...nothing, nowMs: Date.now() + 1.1 * hourMs };
      expect(namesOf(await look({ ...nothing, nowMs: Date.now() + 0.9 * hourMs }))).toEqual([]);
      expect(await removeAll(await look(later))).toEqual({ 'objects of run done': null });
      const keys = async (id: string) => (await catalog.home(id).blobs.list('')).map(({ key }) => key);
      expect(await keys('done')).toEqual(['inputs/other.json', 'inputs/plan.json']);
      expect(await keys('half')).toHaveLength(4);
    });

    test('objects of no run go after a day: until then a run may still be made of them', async () => {
      const { run, look, blobs } = await newStore();
      await run('here', { state: 'running' });
      const place = `runs/${randomUUID()}`;
      await put(blobs, `${place}/inputs/plan.json`);
      const at = (hours: number) => look({ ...nothing, nowMs: Date.now() + hours * hourMs });
      expect(namesOf(await at(23.9))).toEqual([]);
      expect(await removeAll(await at(24.1))).toEqual({ [place]: null });
      expect((await blobs.list('')).map(({ key }) => key)).toEqual([expect.stringMatching(/plan\.json$/)]);
      expect(namesOf(await at(24.1))).toEqual([]);
    });

    // Red if the name does not go first: then a run without its rows would be found.
    test('killed at each step, a run is whole or gone, and the next one removes the rest', async () => {
      const { run, look, catalog, blobs, database, servers } = await newStore();
      await run('bystander', { state: 'running' });
      const cache = temporaryFolder();
      let status: Awaited<ReturnType<typeof endOf>>['status'] = null;
      for (let point = 1; status !== 0; point += 5) {
        if (!(await catalog.has('done'))) await run('done');
        const env = {
          EVENKEEL_STORE: servers.store,
          EVENKEEL_BLOBS: servers.blobs,
          EVENKEEL_FAULT_POINT: String(point),
          EVENKEEL_CACHE: cache,
        };
        const end = await endOf(
          startProgram([mainFile, 'gc', 'done', '--yes'], { env: { ...process.env, ...env }, cwd: temporaryFolder() }),
        );
        status = end.status;
        const isThere = await catalog.has('done');
        if (!isThere) await removeAll(await look({ ...nothing, nowMs: Date.now() + 25 * hourMs }));
        const left = [await rows(database), (await blobs.list('')).length];
        expect(left, `point ${point}`).toEqual(isThere ? [2, 2] : [1, 1]);
        expect(point).toBeLessThan(200);
      }
      expect([await catalog.ids(), await rows(database), (await blobs.list('')).length]).toEqual([['bystander'], 1, 1]);
    });
  });
});
