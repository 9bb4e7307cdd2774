/**
 * The ETA during a real run: simulated models behind HTTP, read twice a second; each estimate is compared with the
 * true end.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { openLedger } from '../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { extentOf } from '../../cli/follow/extent.ts';
import { createPace } from '../../cli/follow/pace.ts';
import { etaMs } from '../../cli/follow/progress-line.ts';
import { shareOf } from '../../cli/follow/share-done.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { executedAgain, type Deployment, openDeployment, until } from '../support/deployment.ts';
import { ledgerNumber } from '../support/ledger-look.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 200);
});
afterAll(async () => {
  await deployment.close();
  await endpoint.close();
});

const spec = (name: string): string => `
name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${endpoint.url}", limits: { concurrency: 6 } } }
models: [{ id: steady, provider: sim }, { id: drifting, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}" } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { judge: none } }]
`;

interface Said {
  readonly atMs: number;
  /** The stated time left, in milliseconds. */
  readonly leftMs: number | null;
}

// When calls that ended tasks never make counted as left, two runs had worst factors of 2.4 and 2.8: red in one of two.
// It measures time, so other programs on the machine may disturb it: three tries.
const promise = 'in the second half, but for ten seconds, the time left is right within a factor of 2.5, mostly 1.6';
let tries = 0;
test(promise, { retry: 2 }, async () => {
  tries += 1;
  const name = `course-${tries}`;
  const command = deployment.start('run', deployment.write(`${name}.yaml`, spec(name)));
  const folder = join(deployment.runsDir, name);
  await until(() => (ledgerNumber(folder, "select count(*) from intent where state = 'answered'") ?? 0) > 0, command);
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  const manifest = await readManifest(folder);
  const pace = createPace();
  const said: Said[] = [];
  const startedMs = performance.now();
  let endMs = 0;
  for (; command.isRunning(); await sleep(500)) {
    const [progress, atMs] = [await ledger.progress(), performance.now() - startedMs];
    const extent = extentOf(manifest);
    said.push({ atMs, leftMs: etaMs(shareOf(progress, extent), atMs, pace(progress, extent, atMs, 0)) });
    if (progress.lanes.some(({ cells, cellsDone }) => cellsDone < cells)) endMs = atMs;
  }
  await ledger.close();
  expect(await command.ended, command.output()).toBe(0);
  const factors = said
    .filter(({ atMs }) => atMs >= endMs / 2 && atMs < endMs - 10_000)
    .map(({ atMs, leftMs }) => (leftMs ?? Infinity) / (endMs - atMs))
    .map((factor) => Math.max(factor, 1 / factor))
    .sort((a, b) => a - b);
  expect(factors.length).toBeGreaterThan(10);
  expect(factors[Math.floor(factors.length / 2)]).toBeLessThan(1.6);
  expect(factors.at(-1)).toBeLessThan(2.5);
});
