/** `compare` and `gate` on runs whose object store takes connections and never says a byte. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postgresCatalog } from '../../../../../activities/storage/postgres/catalog/postgres-catalog.ts';
import { openPostgresLedger } from '../../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openServers } from '../../../../../activities/storage/postgres/open-servers.ts';
import { openPostgres } from '../../../../../activities/storage/postgres/postgres.ts';
import { publishManifest } from '../../../../../activities/storage/manifest.ts';
import { s3Blobs } from '../../../../../activities/storage/s3/s3-blobs.ts';
import { compare } from '../../../../../cli/commands/compare.ts';
import { gate } from '../../../../../cli/commands/gate.ts';
import { explain, exitStatus } from '../../../../../cli/exit-status.ts';
import { createTerminal } from '../../../../../cli/output/terminal.ts';
import { manifest } from '../../../../activities/storage/manifest-fixture.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { newObjects, onObjects } from '../on-objects.ts';
import { newPostgresStore, onPostgres } from '../on-postgres.ts';

const limitMs = 3_000;
const terminal = createTerminal(true);

const commands: readonly [string, (runsDir: string) => Promise<unknown>][] = [
  ['compare', (runsDir) => compare(['a'], { runsDir, by: 'task', margin: '0', alpha: '0.05' }, terminal)],
  ['gate', (runsDir) => gate('a', { runsDir, policy: policyFile(), old: 'one', new: 'two' }, terminal)],
];

onPostgres('a store of objects that never answers', () => {
  onObjects('of runs on servers', () => {
    test.each(commands)('%s says what it waits for, and ends with 2 and the reason', async (_, command) => {
      const servers = await newRun();
      const { url, connections } = await silentServer();
      const [copies, said]: [string, string[]] = [temporaryFolder(), []];
      const say = (line: string): void => void said.push(line);
      await openServers(servers, copies, 'reader', { limitMs, sayAfterMs: 1_000, sayEveryMs: 60_000, say });
      const startMs = performance.now();
      const error: unknown = await command(copies).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(performance.now() - startMs).toBeLessThan(10 * limitMs);
      const { text, status } = explain(error);
      expect(text).toMatch(/^the store cannot be used: \w+ s3:\S+ no answer of http\S+ \S+ for 3 s; check /);
      expect(text).toContain(url);
      expect(status).toBe(exitStatus.badInput);
      expect(said).toEqual([`waiting for the object store ${url} s3://evenkeel, since 1 s (at most 3 s)`]);
      expect(connections()).toBeGreaterThan(0);
    });
  });
});

function policyFile(): string {
  const file = join(temporaryFolder(), 'policy.yaml');
  writeFileSync(file, 'rules: [{ metric: pass_at_1, margin: 1 }]\n');
  return file;
}

interface NamedServers {
  readonly store: string;
  readonly blobs: string;
}

/** A run with a table in the bucket. */
async function newRun(): Promise<NamedServers> {
  const servers = { store: await newPostgresStore('ek_worker'), blobs: newObjects() };
  const database = openPostgres(servers.store);
  onTestFinished(() => database.close());
  const blobs = s3Blobs(servers.blobs);
  const catalog = postgresCatalog({ database, blobs, copies: temporaryFolder(), openLedger: openPostgresLedger });
  await catalog.create('a', async () => ({ ...manifest, runId: 'a' }));
  const home = catalog.home('a');
  const description = { table: 'loops', page: 'loops/m/r1p0', schemaVersion: 1, revision: 1 };
  const { record, durable, publish } = home.parts.stage('loops/x', description, 1, new TextEncoder().encode('rows'));
  await durable;
  publish();
  const ledger = await home.openLedger(manifest);
  await ledger.replaceParts(await ledger.takeOver('test'), [record]);
  await publishManifest(home, ledger);
  await ledger.close();
  return servers;
}

interface SilentServer {
  readonly url: string;
  connections(): number;
}

/** Named as the object store until the test's end. */
async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = { ...process.env };
  process.env['AWS_ENDPOINT_URL'] = url;
  onTestFinished(() => {
    process.env = before;
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url, connections: () => sockets.length };
}
