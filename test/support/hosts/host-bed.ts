/** Hosts that share a database, an object store and Temporal, and ask one endpoint; and runs on them. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { prepareStore } from '../../../activities/storage/postgres/prepare.ts';
import { type Host, makeHosts } from '../../../scripts/cluster/hosts.ts';
import { type Link, linkTo } from '../../../scripts/cluster/links.ts';
import { type ClusterLinks, linksOf } from '../../../scripts/cluster/links-of-hosts.ts';
import { type Cluster, startCluster } from '../../../scripts/cluster/start-cluster.ts';
import { openCatalog } from '../../contract/stores/catalog-address.ts';
import { type Command, endOf, startProgram } from '../command.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { concurrency, runFolder, runId, type Study, survive, writeSpec } from '../kills/kill-study.ts';
import { stableRows } from '../stable-rows.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
/** A step of a host that is away is given to another one after six seconds. */
const heartbeats = { EVENKEEL_HEARTBEAT_TIMEOUT_MS: '6000', EVENKEEL_HEARTBEAT_THROTTLE_MS: '1000' };

export interface HostBed {
  readonly hosts: readonly Host[];
  readonly links: ClusterLinks;
  /** Requests of an undisturbed run. */
  readonly asked: number;
  /** A new store, and the spec of a run in it. */
  round(name: string): Promise<Round>;
  close(): Promise<void>;
}

export interface Round {
  readonly spec: string;
  start(host: Host, args: readonly string[], more?: Readonly<Record<string, string>>): Command;
  /** Requests so far. */
  received(): number;
  /** Ends the servers' side of all connections of a host that was cut off, as TCP does after a while. */
  giveUp(host: Host): void;
  /** Expects the rows of an undisturbed run, and at most these calls more. */
  isWhole(mostRepeated: number): Promise<void>;
}

export async function openHostBed(count: number, say: (line: string) => void): Promise<HostBed> {
  const root = mkdtempSync(join(tmpdir(), 'evenkeel-bed-'));
  const cluster = await startCluster(say);
  // For looks at the store from this process.
  Object.assign(process.env, cluster.objects.env);
  const { hosts, remove } = makeHosts(count);
  const links = await linksOf(cluster);
  const endpoint = await startSimulatedEndpoint(join(root, 'requests.jsonl'), 150);
  const toEndpoint = await linkTo(Number(new URL(endpoint.url).port));
  const url = `http://${toEndpoint.address}/v1`;
  const calm: Study = { endpoint: { ...endpoint, url }, runsDir: join(root, 'undisturbed'), env: process.env };
  const { status, received, output } = await survive(calm, []);
  expect(status, output).toBe(0);
  const truth = await stableRows(runFolder(calm));
  const bed = { root, cluster, links, endpoint: calm.endpoint, toEndpoint, truth, asked: received };
  return {
    ...{ hosts, links, asked: received },
    round: (name) => newRound(bed, name),
    async close() {
      toEndpoint.close();
      links.close();
      remove();
      await endpoint.close();
      await cluster.stop();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Bed {
  readonly root: string;
  readonly cluster: Cluster;
  readonly links: ClusterLinks;
  readonly endpoint: SimulatedEndpoint;
  readonly toEndpoint: Link;
  readonly truth: Awaited<ReturnType<typeof stableRows>>;
  readonly asked: number;
}

async function newRound(
  { root, cluster, links, endpoint, toEndpoint, truth, asked }: Bed,
  name: string,
): Promise<Round> {
  const store = `${cluster.postgres.address}?schema=${name}`;
  await prepareStore(store, { role: `${name}_worker` });
  const blobs = `${cluster.objects.bucket}/${name}`;
  const seen = new URL(links.env['EVENKEEL_STORE'] ?? '');
  seen.searchParams.set('schema', name);
  seen.username = `${name}_worker`;
  const servers = { ...links.env, ...heartbeats, EVENKEEL_STORE: seen.href, EVENKEEL_BLOBS: blobs };
  const spec = writeSpec({ endpoint, runsDir: join(root, name), env: {} });
  const logStart = endpoint.log().length;
  const received = (): number => endpoint.log(logStart).filter(({ outcome }) => outcome === 'received').length;
  return {
    spec,
    received,
    start(host, args, more = {}) {
      const home = join(root, name, host.name);
      mkdirSync(home, { recursive: true });
      const own = { HOME: home, EVENKEEL_CACHE: '', XDG_CACHE_HOME: '', EVENKEEL_RUNS: '', ...more };
      return startProgram([main, ...args], {
        env: { ...process.env, ...servers, ...own },
        cwd: home,
        under: host.command,
      });
    },
    giveUp(host) {
      for (const link of [links.database, links.objects, links.temporal, toEndpoint]) link.breakOff(host);
    },
    async isWhole(mostRepeated) {
      const cache = mkdtempSync(join(root, 'look-'));
      const catalog = openCatalog(JSON.stringify({ store, blobs, cache }));
      expect(await stableRows(await (await catalog.find(runId)).home.tables())).toEqual(truth);
      expect(received() - asked).toBeGreaterThanOrEqual(0);
      expect(received() - asked).toBeLessThanOrEqual(mostRepeated);
    },
  };
}

/** Expects a command to end well. */
export async function done(command: Command): Promise<string> {
  const { status, output } = await endOf(command);
  expect(status, output).toBe(0);
  return output;
}

export { concurrency, runId };
