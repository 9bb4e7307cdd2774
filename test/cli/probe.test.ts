/**
 * Endpoints that cannot be asked are reported before a run is created and before Temporal is started. Temporary or
 * unclear failures are left to the run.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modelFaults, type ProbedModels } from '../../activities/runs/probe-models.ts';
import { checkAccounts } from '../../activities/runs/probe-spec.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const answer =
  (status: number, body: string, type = 'application/json'): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1/elsewhere' }).end(body);

/** An API without a list of models, which refuses an empty question. */
const unlisted =
  (status: number, error: string): RequestListener =>
  ({ url }, response) =>
    void response.writeHead(url === '/v1/chat/completions' ? status : 404).end(JSON.stringify({ error }));

const specText = (baseUrl: string, more = ''): string => `name: probed
providers:
  mine: { kind: openai, baseUrl: "${baseUrl}"${more} }
models: [{ id: one, provider: mine }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`;

function written(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(folder, 'spec.yaml'), text);
  return join(folder, 'spec.yaml');
}

async function faultsOf(text: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = written(text);
  const error = await checkAccounts({ ...(await readSpecFile(path)), path }, env).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : 'none';
}

describe('endpoints that cannot be asked', () => {
  test.each<[string, RequestListener, RegExp]>([
    [
      'a web page',
      answer(200, '<!doctype html><title>Sign in</title>', 'text/html'),
      /spec\.yaml:3:\d+ +providers\.mine\.baseUrl: .*web page/,
    ],
    [
      'a web page that says 404',
      answer(404, '<html>no such page</html>', 'text/html'),
      /baseUrl: .*neither \/models nor \/chat\/completions/,
    ],
    ['a wrong path', answer(404, '{"detail":"Not Found"}'), /baseUrl: .*including the version/],
    ['a redirect', answer(302, ''), /baseUrl: .*302, a redirect/],
    ['an API that wants a key', answer(401, '{}'), /baseUrl: .*401.*requires a key; set apiKeyEnv/],
  ])('%s', async (_what, listener, message) => {
    expect(await faultsOf(specText(await listen(listener)))).toMatch(message);
  });

  test('a refused key is reported at the line of its variable, and not repeated', async () => {
    const url = await listen(answer(401, '{"error":{"message":"Incorrect API key sk-secret"}}'));
    const text = await faultsOf(specText(url, ', apiKeyEnv: MY_KEY'), { MY_KEY: 'sk-secret' });
    expect(text).toMatch(/spec\.yaml:3:\d+ +providers\.mine\.apiKeyEnv: .*401/);
    expect(text).not.toContain('sk-secret');
  });

  // Red before: "set apiKeyEnv", at `baseUrl`.
  test('a refused header is reported at its own line, with its variable', async () => {
    const url = await listen(answer(401, '{"error":{"message":"Incorrect key sk-secret"}}'));
    const text = await faultsOf(specText(url, ', headersEnv: { api-key: TEAM_KEY }'), { TEAM_KEY: 'sk-secret' });
    expect(text).toMatch(/spec\.yaml:3:\d+ +providers\.mine\.headersEnv: .*401.*; correct the value of TEAM_KEY, or/);
    expect(text).not.toContain('sk-secret');
  });

  test('a key and a header that are not set', async () => {
    const text = await faultsOf(specText('http://127.0.0.1:9/v1', ', apiKeyEnv: MY_KEY'));
    expect(text).toMatch(/spec\.yaml:3:\d+ +providers\.mine\.apiKeyEnv: the environment variable MY_KEY is not set/);
    expect(text).toContain('MY_KEY is not set, and one cannot be asked');
    const header = await faultsOf(specText('http://127.0.0.1:9/v1', ', headersEnv: { x-team: TEAM }'));
    expect(header).toContain('providers.mine.headersEnv.x-team: the environment variable TEAM is not set');
    expect(header).not.toContain('apiKeyEnv');
  });

  test('a server without TLS under https://', async () => {
    const url = (await listen(answer(200, '{}'))).replace('http:', 'https:');
    expect(await faultsOf(specText(url))).toMatch(
      /baseUrl: .* does not answer in TLS \(ERR_SSL_\w+\); write http:\/\//,
    );
  });

  test('a name that DNS does not know', async () => {
    expect(await faultsOf(specText('http://nowhere.invalid/v1'))).toMatch(
      /(?:DNS does not know the name nowhere\.invalid|nowhere\.invalid cannot be reached)/,
    );
  });
});

/** An API that lists these models and answers to those that are `served`; counts the questions. */
function serving(listed: readonly string[], served: readonly string[], refusal: [number, object] = unknownModel) {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    if (request.url === '/v1/models')
      return void response.end(JSON.stringify({ object: 'list', data: listed.map((id) => ({ id })) }));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string; max_tokens: number };
      asked.push(`${body.model} ${body.max_tokens}`);
      if (served.includes(body.model)) response.end('{}');
      else response.writeHead(refusal[0]).end(JSON.stringify(refusal[1]));
    });
  };
  return { listener, asked };
}
const unknownModel: [number, object] = [404, { error: { message: 'no such model', code: 'model_not_found' } }];
const refusing = (status: number, message: string): [number, object] => [status, { error: { message } }];

describe('models', () => {
  test('a listed model is not asked, nor one that the list has with a date, a tag or a folder', async () => {
    for (const id of ['one', 'one-2026-01-31', 'one:latest', 'models/one']) {
      const { listener, asked } = serving(['other', id], []);
      expect(await faultsOf(specText(await listen(listener))), id).toBe('none');
      expect(asked).toEqual([]);
    }
  });

  test('on the user’s own network an unlisted model is asked for a token, and may answer all the same', async () => {
    const { listener, asked } = serving(['file.gguf'], ['one']);
    expect(await faultsOf(specText(await listen(listener)))).toBe('none');
    expect(asked).toEqual(['one 1']);
  });

  test.each<[string, [number, object]]>([
    ['OpenAI, vLLM', unknownModel],
    ['Ollama', refusing(404, 'model "one" not found, try pulling it first')],
    ['LiteLLM', refusing(400, '/chat/completions: Invalid model name passed in model=one')],
    ['OpenRouter', refusing(400, 'one is not a valid model ID')],
    ['DeepSeek', refusing(400, 'Model Not Exist')],
  ])('one that is unknown is reported at its line with the nearest name: %s', async (_whose, refusal) => {
    const url = await listen(serving(['ones', 'other'], [], refusal).listener);
    expect(await faultsOf(specText(url))).toMatch(/spec\.yaml:4:\d+ +models\.0\.id: .*; did you mean "ones"\?/);
  });

  test.each<[string, number, string]>([
    ['a parameter of the question', 400, "Unsupported parameter: 'max_tokens' is not supported with this model."],
    ['too many requests', 429, 'slow down'],
    ['a server that is starting', 503, 'loading model'],
  ])('what is left to the run: %s', async (_what, status, message) => {
    const { listener, asked } = serving([], [], refusing(status, message));
    expect(await faultsOf(specText(await listen(listener), ', probe: call'))).toBe('none');
    expect(asked).toEqual(['one 1']);
  });

  test('with probe: call, a key without credit or permission is reported', async () => {
    const url = await listen(serving(['one'], [], refusing(402, 'Insufficient Balance')).listener);
    expect(await faultsOf(specText(url, ', probe: call'))).toMatch(/models\.0\.id: HTTP 402: .*add credit/);
    const other = await listen(serving(['one'], [], refusing(403, 'not yours')).listener);
    expect(await faultsOf(specText(other, ', probe: call, apiKeyEnv: K'), { K: 'key-1' })).toMatch(
      /providers\.mine\.apiKeyEnv: HTTP 403/,
    );
  });

  test('by the Responses API a model is asked there, and an endpoint with that path alone is there', async () => {
    const asked: string[] = [];
    const url = await listen((request, response) => {
      const isThere = request.url === '/v1/responses';
      if (isThere) request.on('data', (chunk: Buffer) => asked.push(chunk.toString('utf8')));
      request.on('end', () => response.writeHead(isThere ? 200 : 404).end('{}')).resume();
    });
    expect(await faultsOf(specText(url, ', api: responses, probe: call'))).toBe('none');
    expect(asked.map((body) => JSON.parse(body) as object)).toEqual([
      {},
      { model: 'one', input: '1', max_output_tokens: 16, store: false },
    ]);
    expect(await faultsOf(specText(url))).toMatch(/neither \/models nor \/chat\/completions/);
  });

  test('a paid model that the list lacks is not asked: the message says how to', async () => {
    const spec = { spec: { models: [{ id: 'gpt-4p', provider: 'oai' }], providers: {} }, provider: 'oai' };
    const account = { kind: 'openai', baseUrl: 'https://api.openai.com/v1' };
    const endpoint = { baseUrl: account.baseUrl, headers: {} };
    const paths = { list: 'models', ask: 'chat/completions', example: '' };
    const probed = { ...spec, account, models: spec.spec.models, endpoint, paths, listed: ['gpt-4o', 'o3'] };
    probed.spec.providers = { oai: account };
    expect(await modelFaults(probed as unknown as ProbedModels)).toEqual([
      {
        at: ['models', '0', 'id'],
        rule: expect.stringMatching(/does not list a model "gpt-4p"; did you mean "gpt-4o"\? .*`probe: call`/),
      },
    ]);
  });
});

describe('what is left to the run', () => {
  test.each<[string, RequestListener]>([
    ['a list of models', answer(200, '{"data":[]}')],
    ['a key that may not list models', answer(403, '{"error":"missing scope"}')],
    ['no GET there', answer(405, '')],
    ['too many requests', answer(429, '{}')],
    ['a server that is starting', answer(503, '<html>bad gateway</html>', 'text/html')],
    ['no list of models, and an empty question refused', unlisted(422, 'messages: field required')],
    ['no list of models, and a model that it does not know', unlisted(404, 'model not found')],
  ])('%s', async (_what, listener) => {
    expect(await faultsOf(specText(await listen(listener)))).toBe('none');
  });

  test('an account that no model uses, and one that says probe: false', async () => {
    const two = 'providers:\n  other: { kind: openai, baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: NOBODY_HAS_THIS }\n';
    expect(await faultsOf(specText(await listen(answer(200, '{}'))).replace('providers:\n', two))).toBe('none');
    expect(await faultsOf(specText('http://127.0.0.1:9/v1', ', probe: false'))).toBe('none');
  });
});

test('the key is sent with the probe, and one probe serves entries of the same account', async () => {
  const seen: (string | undefined)[] = [];
  const url = await listen(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end('{}');
  });
  const two = specText(url, ', apiKeyEnv: MY_KEY')
    .replace('models:', `  same: { kind: openai, baseUrl: "${url}", apiKeyEnv: MY_KEY }\nmodels:`)
    .replace('provider: mine }', 'provider: mine }, { id: two, provider: same }');
  expect(await faultsOf(two, { MY_KEY: 'k-1234' })).toBe('none');
  expect(seen).toEqual(['Bearer k-1234']);
});

describe('the commands', () => {
  /** Checks how the run ends; returns the milliseconds it took. */
  async function endOfRun(url: string, message: RegExp): Promise<number> {
    const path = written(specText(url));
    const runs = join(path, '../runs');
    const startedMs = performance.now();
    const { status, stderr } = await runCommand(['run', path], {
      ...process.env,
      EVENKEEL_RUNS: runs,
      EVENKEEL_SANDBOX: 'embedded',
    });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('--no-probe');
    expect([status, /Temporal/.test(stderr), existsSync(runs) && readdirSync(runs).length > 0]).toEqual([
      2,
      false,
      false,
    ]);
    return performance.now() - startedMs;
  }

  test('run at an endpoint that refuses connections, or hangs, ends with 2: no run, no Temporal', async () => {
    const refusedMs = await endOfRun('http://127.0.0.1:9/v1', /spec\.yaml:3:\d+ .*nothing listens at 127\.0\.0\.1:9/);
    const hungMs = await endOfRun(await listen(() => undefined), /spec\.yaml:3:\d+ .*did not answer within 5 s/);
    expect(hungMs - refusedMs).toBeLessThan(9_000);
  });

  test('doctor SPEC reports each account, and ends with 2', async () => {
    const path = written(specText('http://127.0.0.1:9/v1'));
    const { status, stdout } = await runCommand(['doctor', path], { ...process.env, EVENKEEL_SANDBOX: 'embedded' });
    expect(stdout).toMatch(
      /missing endpoint +mine at http:\/\/127\.0\.0\.1:9\/v1\n.*spec\.yaml:3:\d+ .*nothing listens/,
    );
    expect(status).toBe(2);
  });
});
