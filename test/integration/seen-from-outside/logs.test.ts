/** Structured logs of a real run; and a planted key, which must be in nothing that a run writes or serves. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { endOf } from '../../support/command.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';

const planted = 'sk-planted-5d41402abc4b2a76';
const header = 'team-planted-b9719d911017c592';

let deployment: Deployment;
let server: Server;
let url = '';
/** Answers are held back until the test has scraped the metrics. */
let release = (): void => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
let requests = 0;

beforeAll(async () => {
  deployment = await openDeployment({ PLANTED_KEY: planted, PLANTED_HEADER: header, EVENKEEL_LOG: 'trace' });
  // Every second request fails, and the failure repeats all that was sent with it.
  server = createServer((request, response) => {
    requests += 1;
    const said = JSON.stringify(request.headers);
    const fails = requests % 2 === 1;
    const body = fails ? { error: { message: `broken for ${said}`, code: planted } } : answer;
    const send = (): void => void response.writeHead(fails ? 500 : 200, { 'x-echo': header }).end(JSON.stringify(body));
    if (requests < 4) send();
    else void released.then(send);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  release();
  server.close();
  server.closeAllConnections();
  await deployment.close();
});

const answer = {
  id: 'x',
  model: 'm',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '```python\nx = 1\n```' } }],
  usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
};

const spec = (): string => `
name: logged
providers:
  own: { kind: openai, baseUrl: "${url}", apiKeyEnv: PLANTED_KEY, headersEnv: { x-team: PLANTED_HEADER } }
models: [{ id: m, provider: own, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 2 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 1, judge: none } }]
`;

test('a log has run, model, page and step; a planted key is nowhere', async () => {
  const log = join(deployment.folder, 'run.log');
  const run = deployment.start('run', deployment.write('s.yaml', spec()), '--no-probe', '--metrics', '0', '--log', log);
  await until(() => requests >= 4 && run.output().includes('metrics: '), run);
  const metrics = await (await fetch(/metrics: (http:\S+)/.exec(run.output())?.[1] ?? '')).text();
  release();
  const end = await endOf(run);
  expect(end.status, end.output).toBe(0);
  expect((await deployment.evenkeel('report', 'logged')).status).toBe(0);
  const status = await deployment.evenkeel('status', 'logged', '--json');

  const lines = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const [failed] = lines.filter(({ msg }) => msg === 'call failed');
  expect(failed).toMatchObject({ level: 'warn', run: 'logged', model: 'm', step: 'generate', result: 'failed' });
  expect(failed?.['page']).toMatch(/^loops-\w+\/m-\w+\/r1p0000$/);
  expect(failed?.['failure']).toContain('broken for');
  const calls = await deployment.rows('logged', 'select * from calls');
  const ended = (result: string): number => lines.filter((line) => line['result'] === result).length;
  const stored = (status: string): number => calls.filter((call) => call['status'] === status).length;
  expect([ended('answered'), ended('failed')]).toEqual([stored('answered'), stored('failed')]);
  expect(ended('failed')).toBeGreaterThan(0);
  expect(lines.filter(({ msg }) => msg === 'page sealed')).toHaveLength(1);
  expect(lines.some(({ msg, activity }) => msg === 'step done' && activity === 'generate')).toBe(true);
  expect(new Set(lines.map((line) => line['process']))).toEqual(
    new Set(['owner', 'llm+sandbox+seal', 'workflow+io+seal']),
  );

  const files = readdirSync(deployment.folder, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(files.length).toBeGreaterThan(20);
  const written = files.map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'latin1')] as const);
  // The ledger and Parquet files are compressed.
  const replies = join(deployment.folder, 'replies.jsonl');
  expect((await deployment.evenkeel('export', 'logged', '--format', 'replay', '--out', replies)).status).toBe(0);
  const said = [
    ['metrics', metrics],
    ['output', end.output],
    ['status', status.output],
    ['replies', readFileSync(replies, 'utf8')],
    ['calls', JSON.stringify(calls)],
  ] as const;
  for (const [name, text] of [...written, ...said])
    for (const secret of [planted, header]) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
}, 240_000);
