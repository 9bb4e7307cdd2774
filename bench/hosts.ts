/**
 * One run on several hosts that share PostgreSQL, an S3 server and Temporal: calls a second against one host, where the
 * endpoint limits; and how much of an account's limit they use together.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHosts, noHosts } from '../scripts/cluster/hosts.ts';
import { linkTo } from '../scripts/cluster/links.ts';
import { linksOf } from '../scripts/cluster/links-of-hosts.ts';
import { startCluster } from '../scripts/cluster/start-cluster.ts';
import { startOnHosts, type Workplace } from './hosts/run-on-hosts.ts';
import { type LimitedEndpoint, startLimitedEndpoint } from './limited-endpoint.ts';
import { loadText, median } from './machine.ts';

export interface HostsOptions {
  readonly hosts: string;
  readonly seconds: string;
  readonly warm: string;
  readonly latency: string;
  readonly rounds: string;
  readonly perMinute: string;
  readonly models: string;
}

type Print = (line: string) => void;

interface Size {
  readonly warmMs: number;
  readonly measuredMs: number;
  readonly models: number;
}

export async function hostsBench(options: HostsOptions, print: Print): Promise<void> {
  const missing = noHosts();
  if (missing !== null) throw new Error(missing);
  const [seconds, warm, latencyMs, rounds, models] = (['seconds', 'warm', 'latency', 'rounds', 'models'] as const).map(
    (name) => Number(options[name]),
  ) as [number, number, number, number, number];
  const size = { warmMs: warm * 1000, measuredMs: seconds * 1000, models };
  const limit = Number(options.perMinute);
  await withHosts(Number(options.hosts), async (place) => {
    await speed(place, latencyMs, rounds, size, print);
    await limited(place, latencyMs, limit, size, print);
  });
}

async function withHosts(count: number, use: (place: Workplace) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-hosts-'));
  const cluster = await startCluster(() => {});
  const { hosts, remove } = makeHosts(count);
  const links = await linksOf(cluster);
  try {
    await use({ folder, hosts, env: links.env });
  } finally {
    links.close();
    remove();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** In turns, one host and all of them. */
async function speed(place: Workplace, latencyMs: number, rounds: number, size: Size, print: Print): Promise<void> {
  const all = place.hosts.length;
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const rates: number[] = [];
    for (const count of [1, all])
      rates.push(
        await withEndpoint(Infinity, latencyMs, async (endpoint, url) => {
          const run = await startOnHosts(place, count, { url, models: size.models, limit: null });
          await sleep(size.warmMs);
          const before = endpoint.seen().taken.requests;
          await sleep(size.measuredMs);
          const rate = (endpoint.seen().taken.requests - before) / (size.measuredMs / 1000);
          await run.stop();
          return rate;
        }),
      );
    const [one = Number.NaN, many = Number.NaN] = rates;
    ratios.push(many / one);
    print(
      `round ${round + 1}: one host ${one.toFixed(1)} calls a second, ${all} hosts ${many.toFixed(1)}: ` +
        `${(many / one).toFixed(2)} times; ${loadText()}`,
    );
  }
  print(`${all} hosts against one, answers after ${latencyMs} ms: ${median(ratios).toFixed(2)} times`);
}

/** All hosts on one account whose limit the endpoint enforces. */
async function limited(place: Workplace, latencyMs: number, limit: number, size: Size, print: Print): Promise<void> {
  await withEndpoint(limit, latencyMs, async (endpoint, url) => {
    const run = await startOnHosts(place, place.hosts.length, { url, models: size.models, limit });
    await sleep(size.warmMs);
    const before = endpoint.seen();
    const measuredMs = Math.max(size.measuredMs, 180_000);
    await sleep(measuredMs);
    const { taken, refused, worstMinute, byModel } = endpoint.seen();
    await run.stop();
    const calls = taken.requests - before.taken.requests;
    const used = (100 * calls) / ((limit * measuredMs) / 60_000);
    const share = [...byModel.values()];
    print(
      `${limit} requests a minute, stated, ${place.hosts.length} hosts: ${used.toFixed(1)} % of the rate; ` +
        `${refused} of ${refused + taken.requests} refused; worst minute ${worstMinute}; ` +
        `each of ${share.length} models ${Math.min(...share)} to ${Math.max(...share)} calls; ${loadText()}`,
    );
  });
}

async function withEndpoint<Result>(
  perMinute: number,
  latencyMs: number,
  use: (endpoint: LimitedEndpoint, url: string) => Promise<Result>,
): Promise<Result> {
  const limits = { requests: perMinute, inputTokens: Infinity, outputTokens: Infinity };
  const endpoint = await startLimitedEndpoint({
    ...{ perMinute: limits, latencyMs, countsRefused: true, sendsHeaders: false },
  });
  const link = await linkTo(Number(new URL(endpoint.url).port));
  try {
    return await use(endpoint, `http://${link.address}/v1`);
  } finally {
    link.close();
    await endpoint.close();
  }
}
