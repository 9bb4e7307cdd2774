/**
 * Models that are asked for several answers at a time, over HTTP: one that gives them,
 * one that gives fewer, and one that refuses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { type SimulatedProfileInput, simulatedProfile } from '../../simulator/profile.ts';
import type { RequestLogEntry } from '../../simulator/request-log.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';
import { inFull, long } from '../support/forms/long.ts';
import { type CommandEnd, startCommand } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { openIntents } from '../support/ledger-look.ts';
import { descendantsOf } from '../support/processes.ts';

let deployment: Deployment;
let server: RunningSimulator;
let end: CommandEnd;
let received: () => number;

/** Two tasks, each with an original and three variants: eight prompts for each model, six samples of each. */
const cells = 8;
const samples = 6;

const modelEntry = (id: string, samplesPerRequest: number): string =>
  `  - { id: ${id}, provider: sim, samplesPerRequest: ${samplesPerRequest}, parameters: { seed: null },
      price: { inputUsdPerMillion: 1, outputUsdPerMillion: 4 } }`;
const spec = (name: string, models: readonly string[], samplesPerRequest = 4): string => `name: ${name}
providers: { sim: { kind: openai, baseUrl: "${server.url}", limits: { concurrency: 4 } } }
models:
${models.map((id) => modelEntry(id, samplesPerRequest)).join('\n')}
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 2 } } }
studies:
  - { name: moods, kind: promptse, benchmark: starter, repetitions: 1,
      settings: { variants: 1, samples: ${samples}, temperature: 0.8 } }
`;

beforeAll(async () => {
  deployment = await openDeployment();
  const { tasks } = await loadBenchmark({ name: 'simulated', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  const named = (name: string, more: SimulatedProfileInput) => ({
    name,
    profile: simulatedProfile({ logprobs: true, ...more }),
  });
  const models = [
    named('able', {}),
    named('sparing', { choices: 'fewer' }),
    named('single', { refuses: ['n'] }),
    named('slow', { latencyMs: 1_500 }),
  ];
  const logFile = join(deployment.folder, 'requests.jsonl');
  server = await startSimulatorServer({
    models,
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port: 0,
    logFile,
  });
  const entries = (): RequestLogEntry[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as RequestLogEntry);
  received = () => entries().filter(({ outcome }) => outcome === 'received').length;
  end = await deployment.evenkeel(
    'run',
    deployment.write('several.yaml', spec('several', ['able', 'sparing', 'single'])),
  );
}, 300_000);
afterAll(async () => {
  await server?.close();
  await deployment?.close();
});

test('every model has all its samples, each under its own call key', async () => {
  expect(end.status, end.output).toBe(0);
  const counted = await deployment.rows(
    'several',
    'select model, count(*)::int as samples, count(distinct call_key)::int as keys from ' +
      'samples group by all order by all',
  );
  const all = cells * samples;
  expect(counted).toEqual(['able', 'single', 'sparing'].map((model) => ({ model, samples: all, keys: all })));
  expect((await deployment.evenkeel('verify', 'several')).status).toBe(0);
});

test('calls say which samples a request asked for: 6 are 4 and 2, or 4, 2, 2, 1, 1 if half are given', async () => {
  const asked = await deployment.rows(
    'several',
    "select model, sample, n, count(*)::int as calls from calls where status = 'answered' group by all order by all",
  );
  const expected = [
    ...[
      [0, 4],
      [4, 2],
    ].map(([sample, n]) => ({ model: 'able', sample, n, calls: cells })),
    ...[0, 1, 2, 3, 4, 5].map((sample) => ({ model: 'single', sample, n: 1, calls: cells })),
    ...[
      [0, 4],
      [2, 2],
      [3, 1],
      [4, 2],
      [5, 1],
    ].map(([sample, n]) => ({ model: 'sparing', sample, n, calls: cells })),
  ];
  expect(asked).toEqual(expected);
  const failed = await deployment.rows(
    'several',
    "select distinct model, n > 1 as several, usd from calls where status = 'failed'",
  );
  expect(failed).toEqual([{ model: 'single', several: true, usd: 0 }]);
});

test('the prompt is paid for once per request', async () => {
  const paid = await deployment.rows(
    'several',
    "select model, sum(input_tokens)::int as tokens from calls where status = 'answered' group by all order by all",
  );
  const [able, single] = paid.map(({ tokens }) => Number(tokens));
  expect(single).toBe(3 * (able ?? 0));
});

test('status and report say which model refused n', async () => {
  const status = JSON.parse((await deployment.evenkeel('status', 'several', '--json')).stdout) as { single: unknown };
  expect(status.single).toEqual([{ model: 'single', message: expect.stringContaining("'n'") }]);
  expect((await deployment.evenkeel('status', 'several')).stdout).toContain(
    'single: single is asked for one answer at a time',
  );
  const report = await deployment.evenkeel('report', 'several', '--out', join(deployment.folder, 'report.html'));
  expect(report.status, report.output).toBe(0);
  const html = readFileSync(join(deployment.folder, 'report.html'), 'utf8');
  const notice = '<b>One answer at a time</b> single</summary><p>The endpoint of single refused';
  expect(html).toContain(notice);
  expect(html.match(/<b>One answer at a time<\/b>/g)).toHaveLength(1);
});

test('the same spec asks nothing again, nor does one with another number of answers per request', async () => {
  const before = received();
  for (const samplesPerRequest of [4, 3, 1]) {
    const again = await deployment.evenkeel(
      'run',
      deployment.write('again.yaml', spec('several', ['able', 'sparing', 'single'], samplesPerRequest)),
    );
    expect(again.status, again.output).toBe(0);
  }
  expect(received()).toBe(before);
});

long(`a run killed with requests in flight charges each once, and ends with each sample once${inFull}`, async () => {
  const run = startCommand(['run', deployment.write('killed.yaml', spec('killed', ['slow']))], {
    ...process.env,
    EVENKEEL_RUNS: deployment.runsDir,
  });
  const folder = join(deployment.runsDir, 'killed');
  const before = received();
  while (received() < before + 6) await sleep(20);
  for (const { pid } of [...descendantsOf(run.pid), { pid: run.pid }]) process.kill(pid, 'SIGKILL');
  await run.ended;
  const lost = openIntents(folder);
  expect(lost).toBeGreaterThan(0);
  const resumed = await deployment.evenkeel('resume', 'killed');
  expect(resumed.status, resumed.output).toBe(0);
  const [calls] = await deployment.rows(
    'killed',
    `select count(*)::int as calls, count(*) filter (status = 'lost')::int as lost, count(*) filter (status = 'lost'
      and n > 1 and usd > 0
     and cost_basis = 'estimated')::int as charged, sum(n) filter (used)::int as used from calls`,
  );
  expect(calls).toMatchObject({ lost, charged: lost, used: cells * samples });
  // An intent is written before its request is sent, and a kill may come in between.
  const requests = received() - before;
  expect(Number(calls?.['calls'])).toBeGreaterThanOrEqual(requests);
  expect(Number(calls?.['calls'])).toBeLessThanOrEqual(requests + lost);
  const [counted] = await deployment.rows(
    'killed',
    'select count(*)::int as samples, count(distinct call_key)::int as keys from samples',
  );
  expect(counted).toEqual({ samples: cells * samples, keys: cells * samples });
  expect((await deployment.evenkeel('verify', 'killed')).status).toBe(0);
});
