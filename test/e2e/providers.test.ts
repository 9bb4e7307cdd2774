/**
 * What studies meet at providers: models that refuse a parameter or change their version, and runs that share one
 * account.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import type { RequestLogEntry } from '../../simulator/request-log.ts';
import { type RunningSimulator, startSimulatorServer } from '../../simulator/server.ts';
import { inFull, long } from '../support/forms/long.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { ledgerNumber } from '../support/ledger-look.ts';

let deployment: Deployment;
let server: RunningSimulator;
let end: CommandEnd;
let log: () => RequestLogEntry[];

const tail = `
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 6 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2 } }]
`;

beforeAll(async () => {
  deployment = await openDeployment();
  const { tasks } = await loadBenchmark({ name: 'simulated', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  const able = { competence: 1, latencyMs: 60 };
  const models = [
    { name: 'fine', profile: simulatedProfile(able) },
    { name: 'picky', profile: simulatedProfile({ ...able, refuses: ['temperature', 'max_tokens'] }) },
    { name: 'changing', profile: simulatedProfile({ ...able, faults: { wrongModel: 0.3 } }) },
  ];
  const logFile = join(deployment.folder, 'requests.jsonl');
  server = await startSimulatorServer({
    models,
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port: 0,
    logFile,
  });
  log = () =>
    readFileSync(logFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RequestLogEntry);
  const spec = `name: refused
providers: { sim: { kind: simulator, baseUrl: "${server.url}" } }
models:
  - { id: picky, provider: sim }
  - id: half right
    provider: sim
    model: picky
    parameters:
      temperature: null
      maxTokens: 500
  - { id: right, provider: sim, model: picky, parameters: { temperature: null, maxCompletionTokens: 1000 } }
  - { id: changing, provider: sim }
  - { id: strict, provider: sim, model: changing, strictVersion: true }${tail}`;
  end = await deployment.evenkeel('run', deployment.write('refused.yaml', spec));
}, 300_000);
afterAll(async () => {
  await server.close();
  await deployment.close();
});

test('models that accept their parameters finish; because of the others the run ends with status 3', async () => {
  expect(end.status, end.output).toBe(3);
  expect(end.stderr).toMatch(
    /First correct the spec at refused\.yaml:10:18 .*, refused\.yaml:4:5 .*\n {2}.* run .*refused\.yaml --run refused/,
  );
  const done = await deployment.rows('refused', 'select model, count(*) as cells from loops group by all order by all');
  expect(done).toEqual(['changing', 'right'].map((model) => ({ model, cells: 6 })));
});

test.each([
  ['picky', 'refused.yaml:4:5', 'parameters.temperature: null'],
  ['half right', 'refused.yaml:10:18', 'parameters.maxCompletionTokens'],
  ['strict', 'refused.yaml:13:66', 'changing-fallback'],
])('"%s" is stopped, and the message names the line to change, %s, and what to write', (model, place, advice) => {
  const line = end.stderr.split('\n').find((one) => one.trimStart().startsWith(`${model}:`)) ?? end.stderr;
  expect(line).toContain(place);
  expect(line).toContain(advice);
});

test('after the advised change the command continues the run; only models without answers may change', async () => {
  const path = join(deployment.folder, 'refused.yaml');
  const mended = readFileSync(path, 'utf8')
    .replace(
      '{ id: picky, provider: sim }',
      '{ id: picky, provider: sim, parameters: { temperature: null, maxCompletionTokens: 900 } }',
    )
    .replace('maxTokens: 500', 'maxCompletionTokens: 900');
  const again = await deployment.evenkeel('run', deployment.write('refused.yaml', mended));
  expect(again.status, again.output).toBe(3);
  const done = await deployment.rows('refused', 'select model, count(*) as cells from loops group by all order by all');
  expect(done).toEqual(['changing', 'half right', 'picky', 'right'].map((model) => ({ model, cells: 6 })));
  const other = await deployment.evenkeel('run', deployment.write('refused.yaml', mended.replace('1000', '1001')));
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('model right')]);
});

test('status and report call a model that answered in two versions mixed; a strict model keeps one', async () => {
  const versions = "select count(distinct returned_model) from intent where state = 'answered' and answering_model =";
  expect(ledgerNumber(join(deployment.runsDir, 'refused'), `${versions} 'changing'`)).toBe(2);
  expect(ledgerNumber(join(deployment.runsDir, 'refused'), `${versions} 'strict'`)).toBe(1);
  const status = JSON.parse((await deployment.evenkeel('status', 'refused', '--json')).stdout) as { mixed: unknown };
  expect(status.mixed).toContainEqual({ model: 'changing', versions: ['changing', 'changing-fallback'] });
  expect((await deployment.evenkeel('status', 'refused')).stdout).toMatch(
    /mixed: changing answered as changing and as changing-fallback/,
  );
  const report = await deployment.evenkeel('report', 'refused', '--out', join(deployment.folder, 'report.html'));
  expect(report.status, report.output).toBe(0);
  expect(readFileSync(join(deployment.folder, 'report.html'), 'utf8')).toContain(
    '<b>Mixed versions</b> changing</summary><p>changing answered under several names: changing, changing-fallback.',
  );
});

// Red before: "Continue with: resume refused", which paid for calls of another version, and finished nothing.
long(
  `a model that strictVersion stopped is not asked again by the way, and resume is not advised for it${inFull}`,
  async () => {
    const from = log().length;
    const resumed = await deployment.evenkeel('resume', 'refused');
    expect([resumed.status, log().length], resumed.output).toEqual([3, from]);
    expect(resumed.stderr).toMatch(/note: model "strict" stays stopped and is not asked: another version answers/);
    expect(resumed.stderr).toMatch(
      /Nothing is left to resume\. Measure .* in a new run:\n {2}.* run SPEC --run .*\n\(SPEC: .* run, refused\.yaml\)/,
    );
    expect(resumed.stderr).toMatch(/Only if the version .* may answer again:\n {2}.* resume refused --model strict/);
    expect(resumed.stderr).not.toContain('Continue with');
    const named = await deployment.evenkeel('resume', 'refused', '--model', 'strict');
    expect(named.stderr).not.toContain('stays stopped');
    expect(log().length).toBeGreaterThan(from);
  },
  60_000,
);

test('two runs at once on one account stay within its concurrency together', async () => {
  const from = log().length;
  const spec = (name: string): string =>
    `name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${server.url}", limits: { concurrency: 2 } } }
models: [{ id: fine, provider: sim, parameters: { temperature: ${name === 'one' ? 0.1 : 0.2} } }]${tail}`;
  const ends = await Promise.all(
    ['one', 'two'].map((name) => deployment.evenkeel('run', deployment.write(`${name}.yaml`, spec(name)))),
  );
  expect(
    ends.map(({ status }) => status),
    ends.map(({ output }) => output).join('\n'),
  ).toEqual([0, 0]);
  let inFlight = 0;
  const counts = log()
    .slice(from)
    .map(({ outcome }) => (inFlight += outcome === 'received' ? 1 : -1));
  expect(counts.length).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBe(2);
});
