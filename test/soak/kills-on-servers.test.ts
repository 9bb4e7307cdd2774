/**
 * Runs on PostgreSQL and S3 whose processes and servers are killed, at times from a printed seed: commands with their
 * workers, the database as in a crash, the object store, Temporal. Each continues on a machine without any cache. What
 * they bring is what an undisturbed run in a folder brings. EVENKEEL_SERVER_KILLS sets the number of kills (default:
 * 40).
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareStore } from '../../activities/storage/postgres/prepare.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import { type ObjectServer, objectServerProgram, startObjectServer } from '../../scripts/cluster/object-server.ts';
import {
  findPostgres,
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from '../../scripts/cluster/postgres-server.ts';
import { openCatalog } from '../contract/stores/catalog-address.ts';
import { type OutsideServer, startOutsideServer } from '../support/builds/outside-server.ts';
import { type Command, endOf, startProgram } from '../support/command.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';
import { concurrency, runFolder, runId, survive, writeSpec } from '../support/kills/kill-study.ts';
import { descendantsOf } from '../support/processes.ts';
import { stableRows } from '../support/stable-rows.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const kills = Number(process.env['EVENKEEL_SERVER_KILLS'] ?? 40);
const killsOfRun = 4;
/** A command may wait as long for a step of a worker that was killed. */
const heartbeats = { EVENKEEL_HEARTBEAT_TIMEOUT_MS: '6000', EVENKEEL_HEARTBEAT_THROTTLE_MS: '1000' };
/** The heartbeat's limit and ten seconds; for the database, 15 s are promised. */
const soonMs = 16_000;
const seed = Number(process.env['EVENKEEL_KILL_SEED'] ?? randomInt(2 ** 31));
const random = uniform(seedOf('kills on servers', seed));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const victims = ['everything', 'workers', 'command', 'database', 'objects', 'temporal'] as const;
type Victim = (typeof victims)[number];
const isServer = (victim: Victim): boolean => ['database', 'objects', 'temporal'].includes(victim);

let root: string;
let postgres: PostgresServer;
let objects: ObjectServer;
let temporal: OutsideServer;
let endpoint: SimulatedEndpoint;
let truth: Awaited<ReturnType<typeof stableRows>>;
/** Requests of an undisturbed run. */
let asked = 0;

const hasServers = findPostgres() !== null;

beforeAll(async () => {
  if (!hasServers) return;
  say(`kill times come from EVENKEEL_KILL_SEED=${seed}`);
  root = mkdtempSync(join(tmpdir(), 'evenkeel-servers-'));
  postgres = await startPostgres(postgresPrograms());
  objects = await startObjectServer(await objectServerProgram(say));
  Object.assign(process.env, objects.env);
  temporal = await startOutsideServer(root);
  endpoint = await startSimulatedEndpoint(join(root, 'requests.jsonl'), 60);
  const calm = { endpoint, runsDir: join(root, 'undisturbed'), env: process.env };
  const { status, received, output } = await survive(calm, []);
  expect(status, output).toBe(0);
  truth = await stableRows(runFolder(calm));
  asked = received;
}, 600_000);
afterAll(async () => {
  await endpoint?.close();
  await temporal?.close();
  await objects?.stop();
  await postgres?.stop();
  if (hasServers) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

const reason = hasServers ? '' : ' (skipped: no PostgreSQL 15 or newer)';

test.runIf(hasServers)(
  `${kills} kills in ${Math.ceil(kills / killsOfRun)} runs on servers${reason}`,
  { timeout: 7_200_000 },
  async () => {
    for (let run = 0; run < kills / killsOfRun; run += 1) await survivesOnServers(`k${run}`);
  },
);

async function survivesOnServers(name: string): Promise<void> {
  const store = `${postgres.address}?schema=${name}`;
  await prepareStore(store, { role: `${name}_worker` });
  const servers = {
    ...{ EVENKEEL_STORE: store.replace('evenkeel@', `${name}_worker@`), EVENKEEL_BLOBS: `${objects.bucket}/${name}` },
    ...{ TEMPORAL_ADDRESS: temporal.address, ...heartbeats },
  };
  let machines = 0;
  /** On a machine that has nothing of the run. */
  const start = (...args: readonly string[]): Command => {
    machines += 1;
    const home = join(root, `${name}-${machines}`);
    mkdirSync(home, { recursive: true });
    const own = { HOME: home, EVENKEEL_CACHE: '', XDG_CACHE_HOME: '', EVENKEEL_RUNS: '' };
    return startProgram([main, ...args], { env: { ...process.env, ...servers, ...own }, cwd: home });
  };
  const logStart = endpoint.log().length;
  const received = (): number => endpoint.log(logStart).filter(({ outcome }) => outcome === 'received').length;
  const spec = writeSpec({ endpoint, runsDir: join(root, name), env: {} });
  let command = start('run', spec);
  let inFlight = 0;
  for (let kill = 0; kill < killsOfRun; kill += 1) {
    const at = Math.floor(((kill + random()) / killsOfRun) * asked);
    while (received() < at && command.isRunning()) await sleep(10);
    const victim = victims[Math.floor(random() * victims.length)] as Victim;
    // A server that comes back loses no call.
    if (!isServer(victim)) inFlight += concurrency;
    say(`${name}: ${victim} at call ${received()} of ${asked}`);
    const struck = { victim, calls: received(), atMs: performance.now() };
    await strike(victim, command);
    if (command.isRunning()) {
      await asksAgain(struck, command, received);
      continue;
    }
    await command.ended;
    command = start(received() === 0 ? 'run' : 'resume', received() === 0 ? spec : runId);
  }
  const end = await endOf(command);
  // It may have ended in words while its servers were away.
  const last = end.status === 0 ? end : await endOf(start('resume', runId));
  expect(last.status, `${end.output}\n${last.output}`).toBe(0);
  const verified = await endOf(start('verify', runId));
  expect(verified.status, verified.output).toBe(0);
  const catalog = openCatalog(JSON.stringify({ store, blobs: servers.EVENKEEL_BLOBS, cache: join(root, `${name}-t`) }));
  expect(await stableRows(await (await catalog.find(runId)).home.tables())).toEqual(truth);
  say(`${name}: ${received() - asked} calls repeated, at most ${inFlight} were in flight`);
  expect(received() - asked).toBeLessThanOrEqual(inFlight);
}

interface Struck {
  readonly victim: Victim;
  readonly calls: number;
  readonly atMs: number;
}

/** Expects more calls than were under way soon after a kill that the command outlived, unless none is left to ask. */
async function asksAgain({ victim, calls, atMs }: Struck, command: Command, received: () => number): Promise<void> {
  while (received() <= calls + concurrency && command.isRunning()) await sleep(20);
  if (!command.isRunning()) return;
  const tookMs = performance.now() - atMs;
  say(`  ${concurrency + 1} calls more came within ${(tookMs / 1000).toFixed(1)} s of the kill`);
  expect(tookMs, victim).toBeLessThan(soonMs);
}

async function strike(victim: Victim, command: Command): Promise<void> {
  const workers = descendantsOf(command.pid).map(({ pid }) => pid);
  const kill = (pids: readonly number[]): void => {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };
  if (victim === 'database') await postgres.restart('immediate');
  else if (victim === 'objects') await objects.restart();
  else if (victim === 'temporal') await temporal.restart();
  else kill({ everything: [command.pid, ...workers], workers, command: [command.pid] }[victim]);
  if (victim === 'command' || victim === 'everything') await command.ended;
}
