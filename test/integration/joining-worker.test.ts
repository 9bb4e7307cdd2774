/** A worker that joins a run in which every page is inside a long step. The endpoint tells the processes apart by their keys. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badReplies, benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';
import { type Command, startCommand } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { ledgerNumber } from '../support/ledger-look.ts';

/** Until the joined worker asks: eight at a time, all pages last over half a minute. */
const answerMs = 1_000;
const tasks = 256;

let deployment: Deployment;
let server: Server;
/** When each question came, by the key that it came with. */
const asked = new Map<string, number[]>();
const countOf = (key: string): number => asked.get(key)?.length ?? 0;

beforeAll(async () => {
  deployment = await openDeployment({ KEY: 'first' });
  const content = badReplies.no_code();
  server = createServer((request, response) => {
    request.resume();
    if (request.url === '/v1/models') return void response.end('{}');
    const key = String(request.headers.authorization).replace('Bearer ', '');
    asked.set(key, [...(asked.get(key) ?? []), performance.now()]);
    const reply = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage };
    const answer = (): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    setTimeout(answer, countOf('second') > 0 ? 10 : answerMs);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  await deployment.close();
  server.close();
});

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

function spec(): string {
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(tasks)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return deployment.write(
    'joined.yaml',
    `
name: joined
providers: { mine: { kind: openai, baseUrl: "${url}", apiKeyEnv: KEY, limits: { concurrency: 8 } } }
models: [{ id: one, provider: mine, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { judge: none } }]
`,
  );
}

function joined(): Command {
  return startCommand(['worker', '--roles', 'llm,sandbox', '--runs-dir', deployment.runsDir], {
    ...process.env,
    KEY: 'second',
    EVENKEEL_RUNS: deployment.runsDir,
  });
}

// Red without handing over: the joined worker makes no call at all.
test('its first call goes out within five seconds, and no call is sent twice', async () => {
  const command = deployment.start('run', spec());
  await until(() => countOf('first') >= 8, command);
  const second = joined();
  await until(() => second.stderr().includes('serving llm'), second);
  const servesMs = performance.now();
  await until(() => countOf('second') > 0 || !command.isRunning(), second);
  const [firstCallMs = Infinity] = asked.get('second') ?? [];
  expect(await command.ended, command.output()).toBe(0);
  second.process.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(firstCallMs - servesMs).toBeLessThan(5_000);
  expect(countOf('first') + countOf('second')).toBe(tasks);
  expect(ledgerNumber(join(deployment.runsDir, 'joined'), "select count(*) from intent where state <> 'answered'")).toBe(0);
});
