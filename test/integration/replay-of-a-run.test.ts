/** A run, and the same run from its own export: no call is made, and every number is the same. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';
import { ledgerNumber } from '../support/ledger-look.ts';
import { stableRows } from '../support/stable-rows.ts';

let deployment: Deployment;
let exported: CommandEnd;
const key = 'sk-recorded-1234';
const replayDir = (): string => join(deployment.folder, 'replayed');

const spec = (models: string): string => `
name: study
models:
${models}
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 6 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 3, judge: judge } }]
`;
const asked = `
  - { id: able, provider: simulated,
      model: able-2026, profile: { competence: 0.95, driftPerLoop: 0.1, faults: { refusal: 0.05, truncated: 0.05 } } }
  - { id: drifting, provider: simulated, profile: drifting, parameters: { maxCompletionTokens: 300 } }
  - { id: judge, provider: simulated, profile: { judge: { noise: 0.05, unparseable: 0.2 } }, study: false }`;
const replayed = asked
  .replaceAll(/provider: simulated/g, 'provider: replay, file: answers.jsonl')
  .replaceAll(/, profile: (\w+|\{.*\}(?= \}|,))/g, '');

beforeAll(async () => {
  deployment = await openDeployment({ RECORDED_KEY: key });
  const end = await deployment.evenkeel('run', deployment.write('asked.yaml', spec(asked)));
  expect(end.status, end.output).toBe(0);
  exported = await deployment.evenkeel(
    'export',
    'study',
    '--format',
    'replay',
    '--out',
    join(deployment.folder, 'answers.jsonl'),
    '--json',
  );
  expect(exported.status, exported.output).toBe(0);
  mkdirSync(replayDir());
  const again = await deployment.evenkeel(
    'run',
    deployment.write('replayed.yaml', spec(replayed)),
    '--runs-dir',
    replayDir(),
  );
  expect(again.status, again.output).toBe(0);
}, 300_000);
afterAll(() => deployment.close());

test('the export has a line for every answer, with coordinates, request and the simulated mark', () => {
  const lines = readFileSync(join(deployment.folder, 'answers.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(ledgerNumber(join(deployment.runsDir, 'study'), 'select count(*) from reply') ?? -1);
  expect(JSON.parse(exported.stdout)).toMatchObject({ lines: lines.length });
  for (const line of lines) {
    const { study, benchmark, language, request_sha256, simulated } = JSON.parse(line) as Record<string, unknown>;
    expect({ study, benchmark, language, simulated }).toEqual({
      study: 'loops',
      benchmark: 'starter',
      language: 'python',
      simulated: true,
    });
    expect(request_sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('the replay has all stable rows of the first run, loops and asl too, except the answers’ origin', async () => {
  const [first, second] = [
    await stableRows(join(deployment.runsDir, 'study')),
    await stableRows(join(replayDir(), 'study')),
  ];
  expect(first['loops']).toHaveLength(12);
  expect(first['asl']?.length).toBeGreaterThan(0);
  for (const table of ['loops', 'asl', 'verdicts', 'executions', 'prompts', 'tasks', 'suites', 'settings', 'logprobs'])
    expect(second[table], table).toEqual(first[table]);
});

test('the replayed run keeps the simulated mark, and is marked as free of charge', async () => {
  const folder = join(replayDir(), 'study');
  expect(ledgerNumber(folder, "select count(*) from charge where basis <> 'free'")).toBe(0);
  expect((await stableRows(folder))['models']?.filter((row) => row.includes('replay:'))).toHaveLength(3);
});

test('an export of one model has only its answers, and an unknown model is refused with the nearest name', async () => {
  const out = join(deployment.folder, 'judge.jsonl');
  const one = await deployment.evenkeel('export', 'study', '--out', out, '--model', 'judge');
  expect(one.status, one.output).toBe(0);
  const steps = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { step: string }).step);
  expect(new Set(steps)).toEqual(new Set(['judge']));
  const unknown = await deployment.evenkeel('export', 'study', '--out', out, '--model', 'juge');
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "judge"?')]);
});

test('a run through `record` has its stable rows again, without the endpoint', async () => {
  const endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.log'), 0);
  onTestFinished(() => endpoint.close());
  const out = join(deployment.folder, 'recorded.jsonl');
  const recorder = deployment.start('record', '--listen', '0', '--to', endpoint.url, '--out', out);
  await until(() => recorder.stdout().includes('replies go to'), recorder);
  const url = / at (http:\S+)/.exec(recorder.stdout())?.[1] ?? '';
  // The judge is asked over the Responses API, with streams.
  const named = (provider: string, judges: string): string =>
    spec(`
  - { id: drifting, ${provider} }
  - { id: judge, study: false, ${judges} }`).replace('limit: 6', 'limit: 2');
  const here = `kind: simulator, baseUrl: "${url}", apiKeyEnv: RECORDED_KEY`;
  const asking = `providers: { here: { ${here} }, events: { ${here}, stream: true } }`;
  const asked = deployment.write(
    'through.yaml',
    asking + named('provider: here', 'provider: events, api: responses').replace('name: study', 'name: through'),
  );
  const first = await deployment.evenkeel('run', asked);
  expect(first.status, first.output).toBe(0);
  recorder.process.kill('SIGTERM');
  expect(await recorder.ended).toBe(0);
  await endpoint.close();
  expect(readFileSync(out, 'utf8')).not.toContain(key);
  const replayed = 'provider: replay, file: recorded.jsonl';
  const again = deployment.write('from.yaml', named(replayed, replayed).replace('name: study', 'name: from'));
  const second = await deployment.evenkeel('run', again);
  expect(second.status, second.output).toBe(0);
  const [one, other] = await Promise.all(
    ['through', 'from'].map((run) => stableRows(join(deployment.runsDir, run), ['run'])),
  );
  expect(one?.['loops']).toHaveLength(2);
  for (const table of ['loops', 'asl', 'verdicts', 'executions', 'judgements', 'prompts', 'logprobs'])
    expect(other?.[table], table).toEqual(one?.[table]);
});
