import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { NotKnownYet } from '../../simulator/not-known-yet.ts';
import { simulatedProfile } from '../../simulator/profile.ts';
import type { SimulatedProfileInput } from '../../simulator/profile.ts';
import type { RequestLogEntry } from '../../simulator/request-log.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import type { RunningSimulator } from '../../simulator/server.ts';
import { codePrompt, madeUpTasks } from './tasks.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

async function start(profile: SimulatedProfileInput, logged = false) {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  running.push(() => rm(folder, { recursive: true }));
  const logFile = join(folder, 'requests.jsonl');
  const models = [{ name: 'sim', profile: simulatedProfile(profile) }];
  const server = await startSimulatorServer({ models, tasks: madeUpTasks, port: 0, ...(logged && { logFile }) });
  running.push(server.close);
  const entries = async (): Promise<RequestLogEntry[]> =>
    (await readFile(logFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { server, entries };
}

const chatBody = (number: number, more: object = {}) => ({
  model: 'sim',
  messages: [{ role: 'user', content: codePrompt(madeUpTasks[number]?.description ?? '') }],
  temperature: 0,
  ...more,
});
const post = (server: RunningSimulator, body: object, signal?: AbortSignal) =>
  fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });

test('an answer is shaped like a chat completion, with the choices and log-probabilities asked for', async () => {
  const { server } = await start({ competence: 1, logprobs: true });
  const text = await (await post(server, chatBody(0, { n: 2, logprobs: true, temperature: 1, seed: 4 }))).text();
  const reply = JSON.parse(text);
  expect(reply).toMatchObject({
    object: 'chat.completion',
    model: 'sim',
    system_fingerprint: expect.stringMatching(/^simulated-[0-9a-f]{12}$/),
  });
  expect(reply.choices).toHaveLength(2);
  const tokens = reply.choices[0].logprobs.content.map(({ token }: { token: string }) => token);
  expect(tokens.join('')).toBe(reply.choices[0].message.content);
  expect(reply.usage.completion_tokens).toBe(tokens.length + reply.choices[1].logprobs.content.length);
});

test('a right answer waits for no failing program, a wrong one for those of its own task', async () => {
  const found = Promise.withResolvers<void>();
  let isFound = false;
  const tasks = madeUpTasks.map((task, place) => ({
    ...task,
    get wrong() {
      if (place === 0 && isFound) return ['def f(*args):\n    return "found by running it"\n'];
      throw new NotKnownYet(task.taskId, found.promise);
    },
  }));
  const models = [
    { name: 'right', profile: simulatedProfile({ competence: 1 }) },
    { name: 'sim', profile: simulatedProfile({ competence: 0 }) },
  ];
  const server = await startSimulatorServer({ models, tasks, port: 0 });
  running.push(server.close);
  const wrong = post(server, chatBody(0)).then((response) => response.text());
  expect((await post(server, { ...chatBody(1), model: 'right' })).status).toBe(200);
  expect(await Promise.race([wrong, sleep(100, 'waits')])).toBe('waits');
  isFound = true;
  found.resolve();
  expect(await wrong).toContain('found by running it');
});

test.each([
  ['fewer', 5, 3],
  ['fewer', 1, 1],
  ['more', 5, 6],
  ['more', 1, 1],
] as const)('a model that gives %s choices gives, asked for %i, %i', async (choices, n, given) => {
  const { server } = await start({ choices });
  const reply = (await (await post(server, chatBody(0, { n }))).json()) as { choices: unknown[] };
  expect(reply.choices).toHaveLength(given);
});

test('the models are listed, an unknown one is a 404 and a wrong parameter a 400 that names it', async () => {
  const { server } = await start({});
  expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: 'sim' }] });
  expect((await fetch(server.url.replace('/v1', '/health'))).status).toBe(200);
  const unknown = await post(server, chatBody(0, { model: 'other' }));
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }]);
  const wrong = await post(server, chatBody(0, { temperature: 5 }));
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { param: 'temperature' } }]);
});

test('the log holds both lines of every request before its answer arrives, under concurrency', async () => {
  const { server, entries } = await start({ competence: 1 }, true);
  const logged = await Promise.all(
    madeUpTasks.map(async (_, number) => {
      const body = chatBody(number, { seed: number });
      await (await post(server, body)).text();
      const own = (await entries()).filter(({ bodySha256 }) => bodySha256 === sha256(canonicalJson(body)));
      return own.map(({ outcome, seed, model }) => ({ outcome, seed, model }));
    }),
  );
  expect(logged).toEqual(
    madeUpTasks.map((_, seed) => ['received', 'answered'].map((outcome) => ({ outcome, seed, model: 'sim' }))),
  );
  expect(new Set((await entries()).map(({ sequence }) => sequence)).size).toBe(40);
});

test('a request fails at most maxFaultsPerCall times, then is answered as without faults', async () => {
  const { server, entries } = await start(
    { competence: 1, retryAfterMs: 1500, faults: { rateLimited: 0.5, serverError: 0.5 } },
    true,
  );
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt++) statuses.push((await post(server, chatBody(0))).status);
  expect(statuses.slice(2)).toEqual([200, 200]);
  expect(statuses.slice(0, 2).every((status) => status === 429 || status === 500)).toBe(true);
  expect((await entries()).filter(({ outcome }) => outcome === 'answered')).toHaveLength(2);
});

test('a 429 says when to retry, in seconds rounded up and in milliseconds', async () => {
  const { server } = await start({ retryAfterMs: 1500, faults: { rateLimited: 1 } });
  const { headers } = await post(server, chatBody(0));
  expect([headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual(['2', '1500']);
});

test('broken, malformed and empty answers are what their names say', async () => {
  const broken = await post((await start({ faults: { broken: 1 } })).server, chatBody(0));
  await expect(broken.text()).rejects.toThrow('terminated');
  const malformed = await post((await start({ faults: { malformed: 1 } })).server, chatBody(0));
  await expect(malformed.json()).rejects.toThrow(SyntaxError);
  const noChoices = await post((await start({ faults: { noChoices: 1 } })).server, chatBody(0));
  expect(await noChoices.json()).toMatchObject({ choices: [] });
});

test('a hang lasts until the client gives up, or hangMs is over', async () => {
  const { server } = await start({ hangMs: 100_000, faults: { hang: 1 } });
  await expect(post(server, chatBody(0), AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
  const short = (await start({ hangMs: 50, faults: { hang: 1 } })).server;
  expect((await post(short, chatBody(0))).status).toBe(500);
});

test('a dripping answer comes byte by byte and breaks off after hangMs, never whole', async () => {
  const { server } = await start({ hangMs: 300, faults: { drip: 1 } });
  const startedMs = performance.now();
  const response = await post(server, chatBody(0));
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(250);
});

test.each([
  ['requestTimeout', 408],
  ['conflict', 409],
] as const)('%s is a %i, after which the request is answered', async (fault, status) => {
  const { server } = await start({ maxFaultsPerCall: 1, faults: { [fault]: 1 } });
  expect((await post(server, chatBody(0))).status).toBe(status);
  expect((await post(server, chatBody(0))).status).toBe(200);
});

test.each([
  ['unauthorized', 401, 'invalid_api_key'],
  ['forbidden', 403, null],
  ['notFound', 404, 'model_not_found'],
  ['quota', 429, 'insufficient_quota'],
] as const)('a model closed as %s answers every request with %i', async (closed, status, code) => {
  const { server } = await start({ closed });
  for (let attempt = 0; attempt < 4; attempt++) {
    const response = await post(server, chatBody(0));
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  }
});

test('a parameter that a model refuses is a 400 that names it; null and absent are taken', async () => {
  const { server } = await start({ refuses: ['temperature', 'max_tokens'] });
  const refused = await post(server, chatBody(0, { max_tokens: 5, temperature: null }));
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'max_tokens', code: 'unsupported_parameter' } },
  ]);
  expect((await post(server, chatBody(0, { temperature: null, max_completion_tokens: 5 }))).status).toBe(200);
});

test('latency is set by the request: between half and one and a half of the mean', async () => {
  const { server } = await start({ latencyMs: 100 });
  const startedMs = performance.now();
  await (await post(server, chatBody(0))).text();
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(49);
});

test('a taken port is refused', async () => {
  const { server } = await start({});
  await expect(startSimulatorServer({ models: [], tasks: [], port: server.port })).rejects.toThrow('EADDRINUSE');
});
