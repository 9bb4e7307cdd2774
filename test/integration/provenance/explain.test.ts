/** A run at a real endpoint: what is recorded of each answer, and a script that asks and judges the same again. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../simulator/request-log.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';
import { badReplies, benchmarkText, fenced, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

const root = join(import.meta.dirname, '../../..');
const secret = 'sk-7f3a-never-in-a-file';
const [first, second] = tinyTasks(2) as [TinyTask, TinyTask];

let endpoint: Server;
let deployment: Deployment;
const asked: { readonly body: string; readonly authorization: string | undefined }[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A probe is not a question.
  if (request.method !== 'POST') {
    response.end('{}');
    return;
  }
  const body = await text(request);
  asked.push({ body, authorization: request.headers.authorization });
  const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
  const isFirst = messages.at(-1)?.content.includes(first.entryPoint);
  const content = isFirst ? fenced(rightCode(first)) : badReplies.wrong_on_plus(second);
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-request-id', `req_${asked.length}`);
  response.setHeader('openai-version', '2020-10-01');
  response.setHeader('via', `gateway for ${secret}`);
  response.setHeader('set-cookie', 'session=1');
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  response.end(JSON.stringify({ id: 'cmpl', model: `${model}-2026`, choices, usage }));
}

beforeAll(async () => {
  endpoint = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  deployment = await openDeployment({ THE_KEY: secret });
  deployment.write('tiny.jsonl', benchmarkText([first, second]));
  const { port } = endpoint.address() as AddressInfo;
  const spec = `
name: origin
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${port}/v1", apiKeyEnv: THE_KEY } }
models: [{ id: m, provider: here, model: "m's", price: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: tiny, settings: { samples: 1 } }]
`;
  const { status, output } = await deployment.evenkeel('run', deployment.write('spec.yaml', spec));
  expect(status, output).toBe(0);
  mkdirSync(join(deployment.folder, 'bin'));
  // `npx evenkeel` would look for the program in the folder where the script is run.
  const npx = deployment.write('bin/npx', `#!/bin/sh\nshift\nexec '${process.execPath}' '${root}/cli/main.ts' "$@"\n`);
  chmodSync(npx, 0o755);
}, 120_000);
afterAll(async () => {
  await deployment.close();
  endpoint.close();
});

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();

test('headers that say who answered are recorded, without the key, and so is the program that asked', async () => {
  const rows = await deployment.rows(
    'origin',
    'select request_id, response_headers, program from samples join calls using (call_key) order by request_id',
  );
  const headers = JSON.stringify({ 'openai-version': '2020-10-01', via: 'gateway for [secret]' });
  expect(rows).toEqual(
    ['req_1', 'req_2'].map((id) => ({
      ...{ request_id: id, response_headers: headers },
      program: expect.stringMatching(new RegExp(String.raw`^\d+\.\d+\.\d+\+${commit}(\.dirty)?$`)),
    })),
  );
});

test('the text names everything behind an answer', async () => {
  const { status, stdout } = await deployment.evenkeel('explain', 'origin', 'samples', `task_id=${second.id}`);
  expect(status).toBe(0);
  const [task] = await deployment.rows('origin', `from tasks where task_id = '${second.id}'`);
  for (const known of [
    `requested m's`,
    `returned m's-2026`,
    // 10 tokens at 1 and 10 at 2 dollars a million.
    '$0.00003 (reported)',
    'suite base: pass',
    'suite plus: wrong_output, case 1 of 1 failed',
    'input: [-1000]',
    'expected: -998',
    'got: 1002',
    '"openai-version":"2020-10-01"',
    `record SHA-256 ${String(task?.['record_sha256'])}`,
  ])
    expect(stdout).toContain(known);
});

const pathWithBin = (): string => `${join(deployment.folder, 'bin')}:${process.env['PATH'] ?? ''}`;

test('the script sends the same question with the key of its variable, and comes to the same verdict', async () => {
  const [{ address } = { address: '' }] = await deployment.rows(
    'origin',
    `select address from answers where task_id = '${second.id}'`,
  );
  const { stdout: script, status } = await deployment.evenkeel('explain', 'origin', String(address), '--script');
  expect(status).toBe(0);
  expect(script).not.toContain(secret);
  const before = asked.length;
  const { stdout } = await promisify(execFile)('bash', [deployment.write('again.sh', script)], {
    env: { ...process.env, PATH: pathWithBin(), THE_KEY: secret },
  });
  expect(stdout).toContain('suite base: pass');
  expect(stdout).toContain('suite plus: wrong_output, case 1 failed: expected -998, got 1002');
  expect(asked.length).toBe(before + 1);
  const [again] = asked.slice(before);
  const contents = asked.map(({ body }) => JSON.parse(body) as unknown);
  expect(contents.slice(0, before)).toContainEqual(contents[before]);
  expect(again?.authorization).toBe(`Bearer ${secret}`);
  expect(readFileSync(join(deployment.runsDir, 'origin', 'manifest.json'), 'utf8')).not.toContain(secret);
}, 60_000);

test('for the Responses API, the script asks the endpoint that a run asked, in that API’s words', async () => {
  const log = join(deployment.folder, 'responses.log');
  const benchmark = join(deployment.folder, 'tiny.jsonl');
  const server = deployment.start('simulate', '--port', '0', '--benchmark', benchmark, '--log', log);
  await until(() => / at http:/.test(server.stdout()), server);
  const url = / at (http:\S+)/.exec(server.stdout())?.[1] ?? '';
  const spec = `
name: responses
providers: { here: { kind: simulator, baseUrl: "${url}", api: responses } }
models: [{ id: m, provider: here, model: strong, parameters: { maxTokens: 321 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: tiny, settings: { samples: 1 } }]
`;
  const run = await deployment.evenkeel('run', deployment.write('responses.yaml', spec));
  expect(run.status, run.output).toBe(0);
  const sent = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RequestLogEntry)
      .flatMap(({ outcome, bodySha256 }) => (outcome === 'received' ? [bodySha256] : []));
  const before = sent();
  const [{ address } = { address: '' }] = await deployment.rows('responses', 'select address from answers limit 1');
  const { stdout: script } = await deployment.evenkeel('explain', 'responses', String(address), '--script');
  expect(script).toContain(`${url}/responses`);
  const { stdout } = await promisify(execFile)('bash', [deployment.write('again.sh', script)], {
    env: { ...process.env, PATH: pathWithBin() },
  });
  expect(stdout).toMatch(/suite base: \w+/);
  const after = sent();
  expect(after.length).toBe(before.length + 1);
  expect(before).toContain(after.at(-1));
}, 300_000);
