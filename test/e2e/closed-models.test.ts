/** Endpoints that refuse a model: only that model stops, and the message says what to change in the spec. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';

const apiKey = 'sk-right-one-1234567890';
let deployment: Deployment;
let server: RunningSimulator;
let stopped: CommandEnd;

const spec = (second: string, key: string): string => `
name: closed
providers:
  open: { kind: simulator, baseUrl: "${server.url}", apiKeyEnv: RIGHT_KEY }
  locked: { kind: simulator, baseUrl: "${server.url}", apiKeyEnv: ${key} }
models:
  - { id: fine, provider: open, model: first }
  - { id: no such model, provider: open, model: ${second} }
  - { id: wrong key, provider: locked, model: third }
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 4 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2 } }]
`;

beforeAll(async () => {
  const { tasks } = await loadBenchmark({ name: 'simulated', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  const models = ['first', 'second', 'third'].map((name) => ({ name, profile: simulatedProfile({ competence: 1 }) }));
  server = await startSimulatorServer({ models, tasks: tasks.map((task) => simulatedTask(task, [])), apiKey, port: 0 });
  deployment = await openDeployment({ RIGHT_KEY: apiKey, WRONG_KEY: 'sk-wrong-one-0987654321', UNSET_KEY: undefined });
  stopped = await deployment.evenkeel(
    'run',
    deployment.write('closed.yaml', spec('secund', 'WRONG_KEY')),
    '--no-probe',
  );
}, 300_000);
afterAll(async () => {
  await server.close();
  await deployment.close();
});

test('the run ends with status 3, and the other model finishes', async () => {
  expect(stopped.status, stopped.output).toBe(3);
  const done = await deployment.rows('closed', 'select model, count(*) as cells from loops group by all order by all');
  expect(done).toEqual([{ model: 'fine', cells: 4 }]);
});

test.each([
  ['no such model', 'models[1] of the spec', '404', '`model`'],
  ['wrong key', 'models[2] of the spec', '401', 'apiKeyEnv'],
])('run and status name the line of "%s" in the spec and what to change', async (model, place, status, advice) => {
  const seen = await deployment.evenkeel('status', 'closed');
  for (const text of [stopped.stderr, seen.stdout]) {
    const line = text.split('\n').find((one) => one.includes(place)) ?? text;
    expect(line).toContain(model);
    expect(line).toContain(status);
    expect(line).toContain(advice);
  }
});

// Red before: "· ETA … ·", and what was waited for shortly before the end.
test('the last line of progress names no wait and no time left', () => {
  const last = stopped.stderr.split('\n').findLast((line) => line.includes(' cells · '));
  expect(last).toMatch(/ 4\/12 cells · .* programs judged · \$0\.\d+ · /);
});

test('no key is printed or written to a file of the run', async () => {
  expect(stopped.output).not.toMatch(/sk-(right|wrong)-one/);
  const files = readdirSync(join(deployment.runsDir, 'closed'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(10);
  const holding = files.filter(({ parentPath, name }) =>
    /sk-(right|wrong)-one/.test(readFileSync(join(parentPath, name), 'latin1')),
  );
  expect(holding.map(({ name }) => name)).toEqual([]);
});

test('a wrong key and a missing key are reported with their lines before the run is created', async () => {
  for (const [key, message] of [
    ['WRONG_KEY', /early\.yaml:5:\d+ +providers\.locked\.apiKeyEnv: .*401/],
    [
      'UNSET_KEY',
      /early\.yaml:5:\d+ +providers\.locked\.apiKeyEnv: .* variable UNSET_KEY is not set, and wrong key cannot/,
    ],
  ] as const) {
    const end = await deployment.evenkeel(
      'run',
      deployment.write('early.yaml', spec('second', key).replace('name: closed', 'name: early')),
    );
    expect([end.status, end.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(end.output).not.toMatch(/sk-(right|wrong)-one/);
  }
  expect(existsSync(join(deployment.runsDir, 'early'))).toBe(false);
});

test('with --no-probe a missing key stops only its model, and the message names the variable', async () => {
  const end = await deployment.evenkeel(
    'run',
    deployment.write('unset.yaml', spec('second', 'UNSET_KEY').replace('name: closed', 'name: unset')),
    '--no-probe',
  );
  expect(end.status, end.output).toBe(3);
  const warning = 'the environment variable UNSET_KEY of provider locked is not set: wrong key will not be asked';
  const told = [warning, 'Temporal', 'UNSET_KEY is not set in this worker'].map((text) => end.stderr.indexOf(text));
  expect(told, end.stderr).toEqual(told.filter((at) => at >= 0).sort((a, b) => a - b));
  const done = await deployment.rows('unset', 'select model, count(*) as cells from loops group by all order by all');
  expect(done).toEqual(['fine', 'no such model'].map((model) => ({ model, cells: 4 })));
});
