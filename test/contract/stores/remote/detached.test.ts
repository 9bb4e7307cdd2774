/** Runs that no process owns: `--detach` starts their sweep, and workers on other machines carry it out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { starterBenchmark } from '../../../../cli/starter.ts';
import { type OutsideServer, startOutsideServer } from '../../../support/builds/outside-server.ts';
import { type Command, runCommand } from '../../../support/command.ts';
import { until } from '../../../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../../support/gate.ts';
import { done, killAll, newMachine } from '../../../support/hosts/machine.ts';
import { stableRows } from '../../../support/stable-rows.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { openCatalog } from '../catalog-address.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

let folder: string;
let temporal: OutsideServer;
let endpoint: SimulatedEndpoint;
let gate: Gate;
let spec: string;

onPostgres('detached runs on PostgreSQL', () => {
  onObjects('and S3', () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
      temporal = await startOutsideServer(folder);
      endpoint = await startSimulatedEndpoint(join(folder, 'requests.jsonl'), 5);
      gate = await openGate(endpoint.url);
      spec = join(folder, 'apart.yaml');
      writeFileSync(
        spec,
        `name: apart
providers: { sim: { kind: simulator, baseUrl: ${JSON.stringify(gate.url)}, limits: { concurrency: 4 } } }
models: [{ id: steady, provider: sim }, { id: drifting, provider: sim }]
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 6 } } }
studies: [{ name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 3, judge: none } }]
`,
      );
    }, 120_000);
    afterAll(async () => {
      await gate?.close();
      await endpoint?.close();
      await temporal?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('a run is refused without workers, goes on without a command, and stops and goes on as it is told', async () => {
      const store = await openStore();
      const desk = newMachine(store.servers);
      const early = await desk.evenkeel('run', spec, '--detach');
      expect(early.status, early.output).toBe(2);
      expect(early.stderr).toMatch(
        /no worker of this build of the program \(\w{12}\) has served .*start `evenkeel worker`/,
      );
      await startWorkers(store.servers);

      gate.letThrough(10);
      const begun = await done(desk.evenkeel('run', spec, '--detach', '--json'));
      expect(JSON.parse(begun.stdout)).toEqual({ run: 'apart', state: 'running', detached: true });
      expect(begun.stderr).toContain('goes on without this command');
      expect(begun.stderr).not.toContain('no worker of this build waits');
      await expect.poll(() => gate.isHolding(), { timeout: 30_000 }).toBe(true);
      expect((await done(newMachine(store.servers).evenkeel('status', 'apart'))).stdout).toContain('apart: running');
      const again = await done(newMachine(store.servers).evenkeel('run', spec, '--detach'));
      expect(again.stderr).toContain('goes on without a command already');
      expect((await newMachine(store.servers).evenkeel('gc', 'apart', '--yes')).output).toContain(
        'a process works on it',
      );

      await done(desk.evenkeel('pause', 'apart'));
      gate.open();
      await expect.poll(() => stateOf(store), { timeout: 60_000 }).toBe('incomplete');
      await done(desk.evenkeel('resume', 'apart', '--detach'));
      await expect.poll(() => stateOf(store), { timeout: 60_000 }).toBe('complete');
      expect(await rowsOf(store)).toEqual(await undisturbed());
    }, 240_000);

    test('a command takes a detached run over, also when its workers are gone', async () => {
      const store = await openStore();
      const workers = await startWorkers(store.servers);
      gate.letThrough(10);
      await done(newMachine(store.servers).evenkeel('run', spec, '--detach'));
      await expect.poll(() => gate.isHolding(), { timeout: 30_000 }).toBe(true);
      const watching = newMachine(store.servers).start('run', spec);
      await until(() => watching.stderr().includes('is already running without a command; watching it'), watching);
      for (const worker of workers) killAll(worker);
      gate.open();
      const taken = await done(newMachine(store.servers).evenkeel('resume', 'apart'));
      expect(taken.stderr).not.toContain('watching it');
      expect(await watching.ended, watching.output()).toBe(0);
      expect(await rowsOf(store)).toEqual(await undisturbed());
    }, 240_000);

    test('a detached run whose step cannot succeed ends in words, and has no owner any more', async () => {
      const store = await openStore();
      gate.letThrough(0);
      const attached = newMachine(store.servers).start('run', spec, '--no-probe');
      await until(() => gate.isHolding(), attached);
      killAll(attached);
      await attached.ended;
      gate.open();
      await startWorkers(store.servers);
      const { home } = await store.catalog.find('apart');
      const [tasks] = Object.values((await home.manifest()).benchmarks);
      await home.blobs.remove(tasks?.file ?? '');
      await done(newMachine(store.servers).evenkeel('resume', 'apart', '--detach'));
      await expect.poll(() => stateOf(store), { timeout: 60_000 }).toBe('incomplete');
      const told = await done(newMachine(store.servers).evenkeel('status', 'apart'));
      expect(told.stdout).toMatch(/a step failed: .*missing/);
    }, 240_000);
  });
});

test('in a folder, a run cannot be detached, in words', async () => {
  const { status, stderr } = await runCommand(['run', 'x.yaml', '--detach', '--runs-dir', temporaryFolder()]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/--detach.*needs a store on servers .*nohup, tmux/s);
});

interface Store {
  readonly servers: NodeJS.ProcessEnv;
  readonly catalog: ReturnType<typeof openCatalog>;
}

async function openStore(): Promise<Store> {
  const [store, blobs] = [await newPostgresStore('ek_worker'), newObjects()];
  const servers = { EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs, TEMPORAL_ADDRESS: temporal.address };
  return { servers, catalog: openCatalog(JSON.stringify({ store, blobs, cache: temporaryFolder() })) };
}

/** On two machines, and until the test ends. */
async function startWorkers(servers: NodeJS.ProcessEnv): Promise<Command[]> {
  const workers = ['workflow,io', 'llm,sandbox'].map((roles) => newMachine(servers).start('worker', '--roles', roles));
  onTestFinished(async () => {
    gate.open();
    for (const worker of workers) if (worker.isRunning()) worker.process.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
  });
  for (const worker of workers) await until(() => worker.stderr().includes('serving '), worker);
  return workers;
}

const stateOf = async ({ catalog }: Store): Promise<string> => {
  const isOwned = await catalog.ownership('apart').isOwned();
  return isOwned ? 'owned' : (await (await catalog.find('apart')).home.manifest()).state;
};

const rowsOf = async ({ catalog }: Store) => stableRows(await (await catalog.find('apart')).home.tables());

let truth: ReturnType<typeof stableRows> | undefined;

/** What the same spec brings in a folder of one machine. */
function undisturbed(): ReturnType<typeof stableRows> {
  truth ??= (async () => {
    const runs = join(folder, 'runs');
    await done(newMachine({ TEMPORAL_ADDRESS: temporal.address }).evenkeel('run', spec, '--runs-dir', runs));
    return stableRows(join(runs, 'apart'));
  })();
  return truth;
}
