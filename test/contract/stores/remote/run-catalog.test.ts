/** The catalog of runs on PostgreSQL and S3, and what its owners promise when sessions are lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';
import { sha256 } from '../../../../domain/ids.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../../../scripts/cluster/postgres-server.ts';
import { manifest } from '../../../activities/storage/manifest-fixture.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { openCatalog, type ServersAddress } from '../catalog-address.ts';
import { runCatalogContract } from '../run-catalog-contract.ts';
import { commitProxy } from './commit-proxy.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

async function newAddress(store?: string): Promise<string> {
  const address: ServersAddress = {
    store: store ?? (await newPostgresStore('ek_worker')),
    blobs: newObjects(),
    cache: temporaryFolder(),
  };
  return JSON.stringify(address);
}

const manifestOf = (runId: string) => ({ ...manifest, runId });

onPostgres('runs on PostgreSQL', () => {
  onObjects('and S3', () => {
    runCatalogContract(newAddress);

    test('a run whose creation lost its answer exists once, and is told so', async () => {
      const store = await newPostgresStore();
      const proxy = await commitProxy(store);
      const catalog = openCatalog(await newAddress(proxy.address));
      proxy.lose({ how: 'answer' });
      expect(await catalog.create('a', async () => manifestOf('a'))).toEqual(manifestOf('a'));
      expect([proxy.lost(), await catalog.ids()]).toEqual([1, ['a']]);
    });

    test('a file that the bucket lacks, or that is not what the manifest says, is named', async () => {
      const catalog = openCatalog(await newAddress());
      await catalog.create('a', async (inputs) => {
        await inputs.putImmutable('inputs/x.json', new TextEncoder().encode('[]'), sha256('[]'));
        return manifestOf('a');
      });
      const { fetch } = (await catalog.find('a')).home;
      await expect(fetch([{ file: 'inputs/none.json', sha256: sha256('x') }])).rejects.toThrow(/none\.json.*missing/);
      await expect(fetch([{ file: 'inputs/x.json', sha256: sha256('x') }])).rejects.toThrow(/x\.json.*SHA-256 is not/);
    });

    // Red without the number of times that the run was taken: then the first owner is the owner again.
    test('an owner that is cut off loses its run to another, and does not get it back', async () => {
      const store = await newPostgresStore();
      const proxy = await commitProxy(store);
      const other = openCatalog(await newAddress(store)).ownership('a');
      const cutOff = openCatalog(await newAddress(proxy.address));
      await cutOff.create('a', async () => manifestOf('a'));
      const first = await cutOff.ownership('a').take();
      onTestFinished(() => first?.release());
      proxy.cut();
      await expect.poll(() => other.isOwned(), { timeout: 5_000 }).toBe(false);
      const second = await other.take();
      expect(second).not.toBeNull();
      proxy.restore();
      await second?.release();
      await pause(1_500);
      expect(await other.isOwned()).toBe(false);
    });

    test('a detached sweep owns its run until it ends, or until it is taken from it', async () => {
      const catalog = openCatalog(await newAddress());
      await catalog.create('a', async () => manifestOf('a'));
      const ownership = catalog.ownership('a');
      await (await ownership.take())?.detach(3);
      const facts = async () => [await ownership.isOwned(), await ownership.isDetached(), await ownership.take()];
      expect(await facts()).toEqual([true, true, null]);
      // The end of an older sweep says nothing of this one.
      await ownership.endDetached(2);
      expect(await facts()).toEqual([true, true, null]);
      const taken = await ownership.take({ fromDetached: true });
      expect([await ownership.isOwned(), await ownership.isDetached()]).toEqual([true, false]);
      await taken?.detach(4);
      await ownership.endDetached(4);
      expect(await ownership.isOwned()).toBe(false);
      const again = await ownership.take();
      await again?.release();
      expect(again).not.toBeNull();
    });

    test('a process that has lost its run to another cannot leave it to a sweep', async () => {
      const store = await newPostgresStore();
      const proxy = await commitProxy(store);
      const cutOff = openCatalog(await newAddress(proxy.address));
      await cutOff.create('a', async () => manifestOf('a'));
      const first = await cutOff.ownership('a').take();
      onTestFinished(() => first?.release());
      const other = openCatalog(await newAddress(store)).ownership('a');
      proxy.cut();
      await expect.poll(() => other.isOwned(), { timeout: 5_000 }).toBe(false);
      const second = await other.take();
      proxy.restore();
      await expect(first?.detach(1)).rejects.toThrow('was taken by another process meanwhile');
      expect(await other.isDetached()).toBe(false);
      await second?.release();
    });

    test('sessions of a dead host end, whatever the settings of the server', async () => {
      const database = openPostgres(await newPostgresStore());
      const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'idle_session_timeout'];
      const shown = await Promise.all(names.map((name) => database.query(`select current_setting('${name}') as is`)));
      expect(shown.flat()).toEqual(['10', '5', '3', '0'].map((is) => ({ is })));
    });
  });

  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(postgresPrograms());
    await prepareStore(server.address);
  });
  afterAll(() => server.stop());

  test('an owner keeps its run over a restart of the database', async () => {
    const catalog = openCatalog(await newAddress(server.address));
    await catalog.create('a', async () => manifestOf('a'));
    const owned = await catalog.ownership('a').take();
    await server.restart('immediate');
    await expect.poll(() => catalog.ownership('a').isOwned(), { timeout: 10_000 }).toBe(true);
    expect(await catalog.ownership('a').take()).toBeNull();
    await owned?.release();
    await expect.poll(() => catalog.ownership('a').isOwned()).toBe(false);
  });
});
