/** Runs over HTTP against an endpoint that makes every mistake that endpoints make. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { transportFaults } from '../../simulator/faults.ts';
import { simulatedProfiles } from '../../simulator/profile.ts';
import type { RequestLogEntry } from '../../simulator/request-log.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';

let deployment: Deployment;
let server: RunningSimulator;
let end: CommandEnd;
let log: RequestLogEntry[];

beforeAll(async () => {
  deployment = await openDeployment();
  const logFile = join(deployment.folder, 'requests.jsonl');
  const { tasks } = await loadBenchmark({ name: 'simulated', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  server = await startSimulatorServer({
    models: [{ name: 'faulty', profile: simulatedProfiles.faulty }],
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port: 0,
    logFile,
  });
  const spec = `
name: faulty
providers: { sim: { kind: simulator, baseUrl: "${server.url}", timeoutMs: 1000 } }
models: [{ id: faulty, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}" } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 4 } }]
`;
  end = await deployment.evenkeel('run', deployment.write('faulty.yaml', spec));
  log = readFileSync(logFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RequestLogEntry);
}, 300_000);
afterAll(async () => {
  await server.close();
  await deployment.close();
});

const count = (outcome: RequestLogEntry['outcome']): number => log.filter((line) => line.outcome === outcome).length;

test('the run completes although the endpoint makes every mistake', () => {
  expect(end.status, end.output).toBe(0);
  for (const fault of transportFaults)
    expect([fault, count(fault)]).toEqual([fault, expect.toSatisfy((times: number) => times > 0)]);
});

test('every cell has its row, every mistake its failed call, and every answer counts once', async () => {
  const [loops] = await deployment.rows('faulty', 'select count(*) as cells from loops');
  expect(loops).toEqual({ cells: 45 });
  const calls = await deployment.rows(
    'faulty',
    'select status, count(*) as calls, count(distinct call_key) as keys from calls group by all order by all',
  );
  const failed = transportFaults.reduce((sum, fault) => sum + count(fault), 0);
  expect(calls).toEqual([
    { status: 'answered', calls: count('answered'), keys: count('answered') },
    { status: 'failed', calls: failed, keys: expect.any(Number) },
  ]);
});

test('status counts the failures by kind', async () => {
  const { progress } = JSON.parse((await deployment.evenkeel('status', 'faulty', '--json')).stdout) as {
    progress: { failuresByReason: unknown };
  };
  const unusable = (['broken', 'malformed', 'noChoices', 'hang', 'drip'] as const).reduce(
    (sum, fault) => sum + count(fault),
    0,
  );
  expect(progress.failuresByReason).toEqual({
    'HTTP 408': count('requestTimeout'),
    'HTTP 409': count('conflict'),
    'HTTP 429': count('rateLimited'),
    'HTTP 500': count('serverError'),
    'no usable answer': unusable,
  });
});

test("the model's own faults are results: refused, empty, cut, filtered and wordy replies have a status", async () => {
  const statuses = await deployment.rows('faulty', 'select distinct reply_status from samples order by all');
  expect(statuses.map((row) => row['reply_status'])).toEqual(['content_filter', 'empty', 'ok', 'refusal', 'truncated']);
});
