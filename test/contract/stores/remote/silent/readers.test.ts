/** An object store that takes connections and does not answer: what commands say, and how long they wait. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../../activities/storage/postgres/postgres.ts';
import {
  objectServerProgram,
  type ObjectServer,
  startObjectServer,
} from '../../../../../scripts/cluster/object-server.ts';
import { parseWholeManifest, sealedManifest } from '../../../../../domain/whole-manifest.ts';
import { starterBenchmark } from '../../../../../cli/starter.ts';
import { done, type Machine, newMachine } from '../../../../support/hosts/machine.ts';
import { until } from '../../../../support/deployment.ts';
import { startCommand } from '../../../../support/command.ts';
import { startSimulatedEndpoint } from '../../../../support/endpoints/simulated-endpoint.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { onObjects } from '../on-objects.ts';
import { newPostgresStore, onPostgres } from '../on-postgres.ts';

const specAt = (url: string): string => `name: silent
providers: { sim: { kind: openai, baseUrl: ${JSON.stringify(url)} } }
models: [{ id: steady, provider: sim, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks:
  b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 2 } }
studies: [{ name: plain, kind: pass, benchmark: b, settings: { samples: 2 } }]
`;

/** Its clock goes four times as fast, so that the true limit of 60 s takes a quarter of them. */
const hurried = fileURLToPath(new URL('hurried-main.ts', import.meta.url));
const timesFaster = 4;

onPostgres('a silent object store', () => {
  onObjects('of a run on servers', () => {
    // Red before: not a byte in 70 s, then a state read minutes ago; and `verify` took silence for damage.
    test('readers say what they wait for, and end; status tells the state at the end of its wait', async () => {
      const { objects, store, reader } = await newRun();
      process.kill(objects.pid(), 'SIGSTOP');
      const startMs = performance.now();
      const others = [
        reader().start('query', 'silent', 'select 1'),
        reader().start('report', 'silent', '--out', join(temporaryFolder(), 'report.html')),
        reader().start('verify', 'silent'),
        reader().start('export', 'silent', '--out', join(temporaryFolder(), 'out')),
      ];
      const status = reader().start('status', 'silent');
      const waiting = /^waiting for the object store http:\/\/127\S+ s3:\/\/evenkeel, since [56] s \(at most 60 s\)$/gm;
      await until(() => status.stderr().match(waiting) !== null, status);
      await endRun(store);
      const said = /the store cannot be used: \w+ s3:\S+ no answer of http\S+ \S+ for 6[012] s; check /;
      for (const command of others) {
        expect(await command.ended, command.output()).toBe(2);
        // A second wait would be as long as the first.
        expect(command.stderr().match(waiting), command.output()).toHaveLength(1);
        expect(command.stderr()).toMatch(said);
        expect(command.output()).not.toContain('problem');
      }
      expect(await status.ended, status.output()).toBe(0);
      expect(performance.now() - startMs).toBeLessThan(60_000 / timesFaster + 30_000);
      expect(status.stdout()).toContain('silent: incomplete');
      expect(status.stdout()).toMatch(said);
    }, 240_000);
  });
});

interface Run {
  readonly objects: ObjectServer;
  readonly store: string;
  /** A machine without copies of the run's files. */
  reader(): Machine;
}

/** A complete run, whose object store is this test's alone. */
async function newRun(): Promise<Run> {
  const folder = temporaryFolder();
  const objects = await startObjectServer(await objectServerProgram(() => {}));
  onTestFinished(async () => {
    process.kill(objects.pid(), 'SIGCONT');
    await objects.stop();
  });
  const store = await newPostgresStore('ek_worker');
  const temporal = startCommand(['server', '--runs-dir', join(folder, 'runs')]);
  onTestFinished(async () => {
    temporal.process.kill('SIGTERM');
    await temporal.ended;
  });
  await until(() => temporal.stdout().includes('Temporal serves'), temporal);
  const [, address] = /serves ([^,]+)/.exec(temporal.stdout()) ?? [];
  const file = join(folder, 'silent.yaml');
  const endpoint = await startSimulatedEndpoint(join(folder, 'requests.jsonl'), 5);
  onTestFinished(() => endpoint.close());
  writeFileSync(file, specAt(endpoint.url));
  const servers = { ...objects.env, EVENKEEL_STORE: store, EVENKEEL_BLOBS: objects.bucket, TEMPORAL_ADDRESS: address };
  await done(newMachine(servers).evenkeel('run', file));
  return { objects, store, reader: () => newMachine(servers, hurried) };
}

/** As another process would. */
async function endRun(store: string): Promise<void> {
  const database = openPostgres(store);
  onTestFinished(() => database.close());
  const [row] = await database.query<{ readonly manifest: string }>('select manifest from run');
  const ended = { ...parseWholeManifest(row?.manifest ?? '', 'run'), state: 'incomplete' } as const;
  await database.query('update run set manifest = $1', [sealedManifest(ended)]);
}
