/** Backup and restore as docs/operations/scale.md has it: rows by pg_dump, then objects, while a run goes on. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { CopyObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect } from 'vitest';
import { s3Blobs } from '../../../../../activities/storage/s3/s3-blobs.ts';
import { postgresPrograms } from '../../../../../scripts/cluster/postgres-server.ts';
import { until } from '../../../../support/deployment.ts';
import { done, newMachine } from '../../../../support/hosts/machine.ts';
import { inFull, long } from '../../../../support/forms/long.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { type Fleet, openFleet, runId } from './fleet.ts';
import { newObjects, onObjects } from '../on-objects.ts';
import { onPostgres } from '../on-postgres.ts';

let fleet: Fleet;

onPostgres('a backup of PostgreSQL', () => {
  onObjects('and S3', () => {
    beforeAll(async () => {
      fleet = await openFleet();
    }, 120_000);
    afterAll(() => fleet?.close());

    // Red where rows name objects that are written after them.
    long(
      `taken while a run goes on is restored elsewhere, verified, and the run goes on from it${inFull}`,
      async () => {
        const { spec, gate } = fleet;
        const truth = await fleet.undisturbed();
        const store = await fleet.newStore();
        const before = fleet.received();
        gate.letThrough(30);
        const run = newMachine(store.servers).start('run', spec, '--no-probe');
        await until(() => gate.isHolding(), run);
        const saved = await backUp(store.servers);
        gate.open();
        expect(await run.ended, run.output()).toBe(0);
        await loseAll(store.servers);

        const restored = fleet.storeAt(restoreRows(saved), await restoreObjects(saved));
        const verified = await done(newMachine(restored.servers).evenkeel('verify', runId));
        expect(verified.stdout).toContain(`run "${runId}" is intact`);
        const known = fleet.received();
        await done(newMachine(restored.servers).evenkeel('resume', runId, '--no-probe'));
        expect(await fleet.rows(restored)).toEqual(truth.rows);
        expect((await done(newMachine(restored.servers).evenkeel('verify', runId))).stdout).toContain('is intact');
        // What was answered before the dump is not asked again.
        expect(fleet.received() - known).toBeLessThanOrEqual(truth.requests - 26);
        expect(known - before).toBe(truth.requests);
      },
      300_000,
    );
  });
});

interface Saved {
  readonly server: URL;
  readonly dump: string;
  readonly objects: string;
}

type Servers = Readonly<Record<'EVENKEEL_STORE' | 'EVENKEEL_BLOBS', string>>;

/** As the operator of the database, whose role owns the tables. */
function operatorOf(store: string): { server: URL; schema: string } {
  const server = new URL(store);
  const schema = server.searchParams.get('schema') ?? '';
  server.search = '';
  server.username = 'evenkeel';
  return { server, schema };
}

const postgres = (program: string, ...args: string[]): void =>
  void execFileSync(join(postgresPrograms(), program), args, { stdio: 'pipe' });

async function backUp({ EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs }: Servers): Promise<Saved & { schema: string }> {
  const { server, schema } = operatorOf(store);
  const dump = join(temporaryFolder(), 'evenkeel.dump');
  postgres('pg_dump', `--schema=${schema}`, '--format=custom', `--file=${dump}`, server.href);
  const objects = newObjects();
  await copyObjects(blobs, objects);
  return { server, schema, dump, objects };
}

async function loseAll({ EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs }: Servers): Promise<void> {
  const objects = s3Blobs(blobs);
  for (const { key } of await objects.list('')) await objects.remove(key);
  const { server, schema } = operatorOf(store);
  postgres('psql', server.href, '--command', `drop schema "${schema}" cascade`);
}

/** @returns the store's new address, for the role of workers */
function restoreRows({ server, dump, schema }: Saved & { schema: string }): string {
  const database = `restored_${process.pid}`;
  postgres('psql', server.href, '--command', `create database ${database}`);
  const restored = new URL(server);
  restored.pathname = database;
  postgres('pg_restore', `--dbname=${restored.href}`, dump);
  restored.username = 'ek_worker';
  restored.searchParams.set('schema', schema);
  return restored.href;
}

async function restoreObjects({ objects }: Saved): Promise<string> {
  const place = newObjects();
  await copyObjects(objects, place);
  return place;
}

/** On the server, as `aws s3 sync` does. */
async function copyObjects(from: string, to: string): Promise<void> {
  const client = new S3Client({ forcePathStyle: true });
  const [source, target] = [new URL(from), new URL(to)];
  const prefix = `${source.pathname.slice(1)}/`;
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: source.host, Prefix: prefix }));
  expect(Contents.length).toBeGreaterThan(0);
  for (const { Key: key = '' } of Contents)
    await client.send(
      new CopyObjectCommand({
        Bucket: target.host,
        Key: `${target.pathname.slice(1)}/${key.slice(prefix.length)}`,
        CopySource: `${source.host}/${key}`,
      }),
    );
  client.destroy();
}
