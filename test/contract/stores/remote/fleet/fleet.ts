/**
 * Servers and workers on machines of their own for runs of one small spec, whose calls wait at a gate. What the spec
 * brings undisturbed, in a folder of one machine, is the truth.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { starterBenchmark } from '../../../../../cli/starter.ts';
import { type OutsideServer, startOutsideServer } from '../../../../support/builds/outside-server.ts';
import type { Command } from '../../../../support/command.ts';
import { until } from '../../../../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../../../support/gate.ts';
import { done, newMachine } from '../../../../support/hosts/machine.ts';
import { stableRows } from '../../../../support/stable-rows.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { openCatalog } from '../../catalog-address.ts';
import { newObjects } from '../on-objects.ts';
import { newPostgresStore } from '../on-postgres.ts';

type Rows = Awaited<ReturnType<typeof stableRows>>;

export const runId = 'apart';

export interface FleetStore {
  /** Environment variables that name its servers. */
  readonly servers: Readonly<Record<'EVENKEEL_STORE' | 'EVENKEEL_BLOBS' | 'TEMPORAL_ADDRESS', string>>;
  readonly catalog: ReturnType<typeof openCatalog>;
}

export interface Fleet {
  /** The spec's file. */
  readonly spec: string;
  readonly gate: Gate;
  /** Requests that the endpoint has received so far. */
  received(): number;
  newStore(): Promise<FleetStore>;
  /** @param servers of a store that exists */
  storeAt(store: string, blobs: string): FleetStore;
  /** On two machines, and until the test ends. @param program default: this program */
  startWorkers(store: FleetStore, program?: string): Promise<Command[]>;
  /** `owned` while a process or a detached sweep owns the run, then the state of its manifest. */
  state(store: FleetStore): Promise<string>;
  rows(store: FleetStore): Promise<Rows>;
  /** The rows of an undisturbed run, and how many requests it made. */
  undisturbed(): Promise<{ readonly rows: Rows; readonly requests: number }>;
  close(): Promise<void>;
}

export async function openFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-fleet-'));
  const temporal = await startOutsideServer(folder);
  const endpoint = await startSimulatedEndpoint(join(folder, 'requests.jsonl'), 5);
  const gate = await openGate(endpoint.url);
  const spec = join(folder, `${runId}.yaml`);
  writeFileSync(spec, specOf(gate));
  const received = (): number => endpoint.log().filter(({ outcome }) => outcome === 'received').length;
  const storeAt = (store: string, blobs: string): FleetStore => ({
    servers: { EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs, TEMPORAL_ADDRESS: temporal.address },
    catalog: openCatalog(JSON.stringify({ store, blobs, cache: temporaryFolder() })),
  });
  const rows = async ({ catalog }: FleetStore): Promise<Rows> =>
    stableRows(await (await catalog.find(runId)).home.tables());

  async function runUndisturbed(): Promise<{ rows: Rows; requests: number }> {
    const [before, runs] = [received(), join(folder, 'runs')];
    const machine = newMachine({ TEMPORAL_ADDRESS: temporal.address });
    await done(machine.evenkeel('run', spec, '--no-probe', '--runs-dir', runs));
    return { rows: await stableRows(join(runs, runId)), requests: received() - before };
  }
  let truth: ReturnType<typeof runUndisturbed> | undefined;

  return {
    spec,
    gate,
    received,
    newStore: async () => storeAt(await newPostgresStore('ek_worker'), newObjects()),
    storeAt,
    startWorkers: (store, program) => startWorkers(gate, store, program),
    state: async ({ catalog }) =>
      (await catalog.ownership(runId).isOwned()) ? 'owned' : (await catalog.home(runId).manifest()).state,
    rows,
    undisturbed: () => (truth ??= runUndisturbed()),
    close: () => closeAll(folder, { gate, endpoint, temporal }),
  };
}

const specOf = ({ url }: Gate): string => `name: ${runId}
providers: { sim: { kind: simulator, baseUrl: ${JSON.stringify(url)}, limits: { concurrency: 4 } } }
models: [{ id: steady, provider: sim }, { id: drifting, provider: sim }]
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 6 } } }
studies: [{ name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 3, judge: none } }]
`;

async function startWorkers(gate: Gate, { servers }: FleetStore, program?: string): Promise<Command[]> {
  const start = (roles: string): Command => newMachine(servers, program).start('worker', '--roles', roles);
  const workers = ['workflow,io', 'llm,sandbox'].map(start);
  onTestFinished(async () => {
    gate.open();
    for (const worker of workers) if (worker.isRunning()) worker.process.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
  });
  for (const worker of workers) await until(() => worker.stderr().includes('serving '), worker);
  return workers;
}

interface Parts {
  readonly gate: Gate;
  readonly endpoint: SimulatedEndpoint;
  readonly temporal: OutsideServer;
}

async function closeAll(folder: string, { gate, endpoint, temporal }: Parts): Promise<void> {
  await gate.close();
  await endpoint.close();
  await temporal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
