/** Around a run with waiting calls: a worker for another folder, and a server whose database is deleted. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { executedAgain, openDeployment, type Deployment, until } from '../../support/deployment.ts';
import { endOf, startCommand } from '../../support/command.ts';
import { type Gate, openGate } from '../../support/gate.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../support/endpoints/simulated-endpoint.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 20);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

const server = (): { pid: number; port: number } =>
  JSON.parse(readFileSync(join(deployment.runsDir, '.temporal', 'server.json'), 'utf8')) as {
    pid: number;
    port: number;
  };

test('another folder’s worker takes no steps; a deleted database ends the run, and resume continues it', async () => {
  const spec = deployment.write(
    'held.yaml',
    `
name: held
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 4 } } }
models: [{ id: steady, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 4 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }]
`,
  );
  gate.letThrough(1);
  const run = deployment.start('run', spec, '--no-probe');
  await until(() => gate.isHolding(), run);
  // Red in version 0.1: it said nothing, or took steps and failed them.
  const env = { ...process.env, TEMPORAL_ADDRESS: `127.0.0.1:${server().port}` };
  const worker = startCommand(['worker', '--runs-dir', join(deployment.folder, 'elsewhere')], env);
  await until(() => worker.stderr().includes('this worker cannot run their steps'), worker);
  worker.process.kill('SIGINT');
  expect(await worker.ended, worker.output()).toBe(0);
  const own = startCommand(['worker', '--runs-dir', deployment.runsDir], env);
  await until(() => own.stderr().includes('serving '), own);
  own.process.kill('SIGINT');
  expect(await own.ended, own.output()).toBe(0);
  expect(own.output()).not.toContain('cannot run their steps');
  // Red in version 0.1: exit status 1 and a stack trace.
  const { pid } = server();
  rmSync(join(deployment.runsDir, '.temporal'), { recursive: true, force: true });
  process.kill(pid, 'SIGKILL');
  gate.open();
  const end = await endOf(run);
  expect([end.status, end.stderr], end.output).toEqual([
    3,
    expect.stringMatching(/the run is incomplete: the .*Temporal server .*(?:no longer knows this sweep|had to move)/),
  ]);
  expect(end.stderr).toMatch(/Continue with:\n {2}.*resume held/);
  expect(end.stderr).not.toMatch(/^\s+at /m);
  const resumed = await deployment.evenkeel('resume', 'held');
  expect(resumed.status, resumed.output).toBe(0);
}, 300_000);
