/** `pause` and `cancel` of runs whose calls wait for long: nothing is in flight, so nothing is waited for. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import type { Command } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';

let deployment: Deployment;
let closed: Server;

beforeAll(async () => {
  deployment = await openDeployment();
  closed = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(429, { 'retry-after': '99999' }).end('{}'));
  });
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
}, 300_000);
afterAll(async () => {
  await deployment.close();
  closed.closeAllConnections();
  closed.close();
});

const spec = (name: string): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers:
  shut: { kind: openai, baseUrl: "http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1" }
models: [{ id: one, provider: shut }, { id: two, provider: shut }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}" } }
studies: [{ name: pass, kind: pass, benchmark: starter, settings: { samples: 2, maxTokens: 100 } }]
`,
  );

/** Seconds between the end of `pause` or `cancel` and that of the run's own command. */
async function secondsToEnd(verb: 'pause' | 'cancel', run: string, command: Command): Promise<number> {
  await until(() => command.stderr().includes('closed until'), command);
  expect((await deployment.evenkeel(verb, run)).status).toBe(0);
  const startMs = performance.now();
  expect(await command.ended, command.output()).toBe(3);
  return (performance.now() - startMs) / 1_000;
}

// Red before: 40 to 60 s. Steps were retried by Temporal every half minute, and the first such attempt saw no stop.
test('calls that wait for a closed account end with a pause or a cancellation, also at a second worker', async () => {
  const worker = deployment.start('worker', '--roles', 'llm');
  await until(() => worker.stderr().includes('serving llm'), worker);
  const paused = deployment.start('run', spec('shut'), '--no-probe');
  expect(await secondsToEnd('pause', 'shut', paused)).toBeLessThan(25);
  expect(paused.stderr()).toContain('the run is incomplete: paused');
  const cancelled = deployment.start('resume', 'shut');
  expect(await secondsToEnd('cancel', 'shut', cancelled)).toBeLessThan(25);
  expect(cancelled.stderr()).toContain('the run is incomplete: cancelled');
});
