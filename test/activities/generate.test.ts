/** Several draws of one question: a real ledger, a simulated endpoint over HTTP, and the step that asks. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccounts } from '../../activities/calls/accounts/accounts.ts';
import { createFailingStreak } from '../../activities/calls/attempts/failing-streak.ts';
import { limitUnclassified } from '../../activities/attempts.ts';
import { createGenerate } from '../../activities/generate.ts';
import { createHandover } from '../../activities/calls/handover.ts';
import { watchSilence } from '../../activities/heartbeat.ts';
import { priceOf } from '../../activities/calls/prices.ts';
import { ProviderFault } from '../../activities/providers/provider.ts';
import { createOpenAiProvider } from '../../activities/providers/openai.ts';
import type { AskedModel } from '../../activities/calls/asked-model.ts';
import type { Run, RunPage } from '../../activities/runs/opened/run.ts';
import type { Runs } from '../../activities/runs/runs.ts';
import { singleModels } from '../../activities/calls/single-answers.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import { createCutAnswers } from '../../activities/calls/cut-answers.ts';
import { createReasoners } from '../../activities/calls/reasoners.ts';
import { openReusedRuns } from '../../activities/runs/reused-runs.ts';
import { createVariantStore } from '../../activities/pages/variants.ts';
import { createKnownStops } from '../../activities/calls/known-stops.ts';
import { createWaitingSteps } from '../../activities/waiting-steps.ts';
import { createVersionWatch } from '../../activities/calls/versions.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { ModelParameters } from '../../schemas/spec/parameters.ts';
import type { Task } from '../../schemas/task.ts';
import { type SimulatedProfileInput, simulatedProfile } from '../../simulator/profile.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { studyOf } from '../../studies/index.ts';
import { madeUpTasks } from '../simulator/tasks.ts';
import { coordinates } from './providers/questions.ts';
import { call, charge, go, newFolder, newLedger, page } from './storage/ledger/ledger-fixture.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

interface Wanted {
  readonly profile?: SimulatedProfileInput;
  readonly samples?: number;
  readonly parameters?: ModelParameters;
  readonly efforts?: readonly string[];
  /** Calls in flight at a time. */
  readonly concurrency?: number;
  readonly samplesPerRequest?: number;
  /** True: the study's own seeds are sent. */
  readonly seeds?: boolean;
  readonly cells?: number;
  readonly ledger?: Ledger;
  /** In place of the simulated endpoint. */
  readonly endpoint?: string;
  readonly key?: () => string;
  /** Whether the worker has stood still, asked before each request is sent. */
  readonly isOverdue?: () => boolean;
  /** When each worker in turn stops, as `drain` of its step. */
  readonly stops?: readonly AbortSignal[];
}

/** USD: 10 per thousand prompt tokens, 100 per thousand answered ones, of which an answer has 50 at most. */
const price = priceOf(
  {
    id: 'm',
    provider: 'p',
    strictVersion: false,
    study: true,
    price: { inputUsdPerMillion: 10_000, outputUsdPerMillion: 100_000 },
  },
  undefined,
);

async function ready({
  profile,
  samples = 5,
  samplesPerRequest = 4,
  seeds = false,
  parameters = {},
  efforts,
  concurrency = 32,
  cells = 1,
  ledger: given,
  endpoint,
  key,
  isOverdue = () => false,
  stops = [],
}: Wanted) {
  const ledger = given ?? (await newLedger());
  const logFile = join(newFolder(), 'requests.jsonl');
  const models = [{ name: 'sim', profile: simulatedProfile({ competence: 1, ...profile }) }];
  const server = await startSimulatorServer({ models, tasks: madeUpTasks, port: 0, logFile });
  cleanUps.push(server.close);
  const provider = createOpenAiProvider({
    baseUrl: endpoint ?? server.url,
    get apiKey() {
      return key === undefined ? null : key();
    },
    timeoutMs: 5_000,
  });
  cleanUps.push(() => provider.close());
  const spec = parseSpec(
    JSON.stringify({
      name: 'n',
      models: [{ id: 'm', provider: 'simulated' }],
      benchmarks: { b: { format: 'evenkeel', path: 'p' } },
      studies: [
        {
          name: 's',
          kind: 'promptse',
          benchmark: 'b',
          settings: { samples, temperature: 0.8, maxTokens: 50, logprobs: false, efforts },
        },
      ],
    }),
    's.json',
  );
  const [study] = spec.studies;
  if (study === undefined) throw new Error('the spec has a study');
  let begun = 0;
  const model: AskedModel = {
    ...{ id: 'm', requestedModel: 'sim', simulated: true, strictVersion: false, free: false, price, samplesPerRequest },
    asksInBatches: false,
    batchPrice: null,
    provider: async () => {
      begun += 1;
      return provider;
    },
    streak: createFailingStreak('m'),
    account: createAccounts(null).open({ endpoint: server.url, keyVariable: null }, { concurrency }, concurrency),
    parameters: { ...(!seeds && { seed: null }), ...parameters },
    specPlace: () => 'models[0] of the spec',
  };
  const run = {
    ledger,
    spec,
    versions: createVersionWatch(ledger),
    reasoners: await createReasoners(ledger),
    reused: openReusedRuns('', { reuse: [] }),
    leftInBatches: new Set<string>(),
    noteCutAnswers: createCutAnswers(ledger),
    checkOwner: async () => {},
    isStopped: createKnownStops(ledger),
    variants: createVariantStore(ledger),
    model: () => model,
  } as Partial<Run> as Run;
  const cell = (number: number) => ({
    taskId: `Made/${number}`,
    language: 'python',
    variant: 'original',
    setting: 'default',
    repetition: 0,
  });
  const runPage = {
    ...{ run, page, revision: 1, model: 'm', study, kind: studyOf(study) },
    cells: Array.from({ length: cells }, (_, number) => cell(number % madeUpTasks.length)),
    task: (taskId: string) => {
      const { entryPoint, description } = madeUpTasks.find((task) => task.taskId === taskId) ?? {};
      return { taskId, language: 'python', entryPoint, prompt: description } as Task;
    },
    variant: () => null,
    coordinates: () => coordinates,
  } as Partial<RunPage> as RunPage;
  const runs = { page: async () => runPage } as Partial<Runs> as Runs;
  const epoch = await ledger.takeOver('test');
  let attempt = 0;
  const nextWorker = () => {
    attempt += 1;
    const at = { step: '1', attempt, isOverdue };
    const drain = stops[attempt - 1] ?? new AbortController().signal;
    return createGenerate({
      runs,
      heartbeat: (work) => work(new AbortController().signal, at),
      drain,
      handover: createHandover(null),
      waiting: createWaitingSteps(drain),
      checkKeys: () => Promise.resolve(),
      runPrograms: () => null,
    });
  };
  return {
    ...{ ledger, epoch },
    generate: () =>
      nextWorker()({
        ...{ run: { runId: 'r', uuid: 'u', epoch }, page, step: 'generate', ask: 0, samples },
        items: Array.from({ length: cells }, (_, index) => [index, 1]),
      }),
    begun: () => begun,
    requests: () => readFileSync(logFile, 'utf8').split('"received"').length - 1,
  };
}

/** First sample and n of each attempt, by how it ended. */
const attempts = async (ledger: Ledger, status: string): Promise<number[][]> =>
  (await ledger.records(page)).calls
    .filter((call) => call.status === status)
    .map(({ key, n }) => [key.sample, n])
    .sort(([a = 0], [b = 0]) => a - b);

const sampleNumbers = async (ledger: Ledger): Promise<number[]> =>
  (await ledger.samples(page)).map(({ key }) => key.sample);

// Red before: 100 cells had begun, each with its question and what it knows of its task.
test('a page begins no more cells than its accounts can keep busy', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => silent.close().closeAllConnections());
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const stop = new AbortController();
  const { generate, begun } = await ready({ endpoint, samples: 1, cells: 100, stops: [stop.signal] });
  const generated = generate().catch((error: Error) => error);
  await expect.poll(begun).toBe(64);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(begun()).toBe(64);
  stop.abort();
  silent.closeAllConnections();
  expect(await generated).toMatchObject({ type: 'WorkerDraining' });
});

test('five draws are asked for in one request for four and one for one', async () => {
  const { ledger, generate, requests } = await ready({});
  expect(await generate()).toEqual({ usable: [0], unusable: [] });
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3, 4]);
  expect(await attempts(ledger, 'answered')).toEqual([
    [0, 4],
    [4, 1],
  ]);
  expect(requests()).toBe(2);
});

test('the prompt is paid for once per request', async () => {
  const { ledger, generate } = await ready({ samples: 4 });
  const alone = await ready({ samples: 4, samplesPerRequest: 1 });
  await Promise.all([generate(), alone.generate()]);
  const input = async (one: Ledger): Promise<number> =>
    (await one.records(page)).calls.reduce((sum, { charge }) => sum + (charge?.inputTokens ?? 0), 0);
  expect(await input(ledger)).toBeGreaterThan(0);
  expect(await input(alone.ledger)).toBe(4 * (await input(ledger)));
});

// Red when `asked === last?.asked` is left out of shared-requests.ts.
test('draws with different seeds are asked for one by one', async () => {
  const { ledger, generate } = await ready({ seeds: true });
  await generate();
  expect(await attempts(ledger, 'answered')).toEqual([0, 1, 2, 3, 4].map((sample) => [sample, 1]));
});

test('by default every draw is a separate request', async () => {
  const { ledger, generate } = await ready({ samplesPerRequest: 1 });
  await generate();
  expect(await attempts(ledger, 'answered')).toEqual([0, 1, 2, 3, 4].map((sample) => [sample, 1]));
});

test('a draw answered alone is not asked for again in a group, nor the other way round', async () => {
  const ledger = await newLedger();
  const first = await ready({ ledger, samplesPerRequest: 1, samples: 2 });
  await first.generate();
  const second = await ready({ ledger, samplesPerRequest: 8, samples: 6 });
  await second.generate();
  expect(second.requests()).toBe(1);
  const third = await ready({ ledger, samplesPerRequest: 1, samples: 6 });
  await third.generate();
  expect(third.requests()).toBe(0);
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('fewer choices than asked for: the rest is asked for again with a smaller n', async () => {
  const { ledger, generate } = await ready({ profile: { choices: 'fewer' }, samples: 8, samplesPerRequest: 8 });
  expect(await generate()).toEqual({ usable: [0], unusable: [] });
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await attempts(ledger, 'answered')).toEqual([
    [0, 8],
    [4, 4],
    [6, 2],
    [7, 1],
  ]);
});

test('more choices than asked for are ignored', async () => {
  const { ledger, generate } = await ready({ profile: { choices: 'more' } });
  await generate();
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3, 4]);
});

// Red when `noteRefusalOfSeveral` is not called in ask.ts: the step would then ask for several for ever.
test('an endpoint that refuses n is then asked for one answer at a time, also by the next process', async () => {
  const ledger = await newLedger();
  const { generate } = await ready({ ledger, profile: { refuses: ['n'] } });
  expect(await generate()).toEqual({ usable: [0], unusable: [] });
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3, 4]);
  expect(await attempts(ledger, 'failed')).toEqual([[0, 4]]);
  expect(await ledger.progress()).toMatchObject({
    failuresByReason: { 'n refused': 1 },
    spend: { estimatedUsd: 0 },
    stopped: [],
  });
  expect(await singleModels(ledger)).toEqual([
    { model: 'm', message: expect.stringContaining("'n' is not supported") },
  ]);
  const next = await ready({ ledger, profile: { refuses: ['n'] }, cells: 2 });
  await next.generate();
  expect(next.requests()).toBe(5);
  expect(await attempts(ledger, 'failed')).toEqual([[0, 4]]);
});

test('after a transport fault the whole request is sent again', async () => {
  const { ledger, generate } = await ready({ profile: { maxFaultsPerCall: 1, faults: { noChoices: 1 } }, samples: 4 });
  await generate();
  expect(await attempts(ledger, 'failed')).toEqual([[0, 4]]);
  expect(await attempts(ledger, 'answered')).toEqual([[0, 4]]);
});

// Red when ask.ts takes `gone` for an error like any other: the step would be tried five times, with twelve attempts at
// each call every time, and each page of the model after it.
test('an endpoint that never answers is asked twelve times for a call, and its model stops alone', async () => {
  let asked = 0;
  const endpoint = await answering((_body, response) => {
    asked += 1;
    response.writeHead(500, { 'retry-after-ms': '1' }).end('{}');
  });
  const { ledger, generate } = await ready({ endpoint, samples: 1 });
  const step = limitUnclassified('generate', generate);
  await expect(step(undefined)).rejects.toMatchObject({
    ...{ type: 'Stopped', nonRetryable: true },
    message: expect.stringMatching(/m: nothing was answered during 12 attempts at one call.*500.*--model m/),
  });
  expect(asked).toBe(12);
  expect(await attempts(ledger, 'failed')).toHaveLength(12);
  expect((await ledger.progress()).stopped).toMatchObject([{ model: 'm', reason: 'model_stopped' }]);
});

// Red where they are not noted in ask.ts: each would be a call that was repeated.
test.each([400, 401, 403, 404, 422])('a call refused with %i stops the model and is not repeated', async (status) => {
  let asked = 0;
  const endpoint = await answering((_, response) => {
    asked += 1;
    response.writeHead(status).end('{"error": {"message": "no"}}');
    return undefined;
  });
  const { ledger, generate } = await ready({ endpoint, samples: 1 });
  await expect(generate()).rejects.toThrow();
  expect(asked).toBe(1);
  const { failedCalls, failuresByReason, finalFailures, stopped } = await ledger.progress();
  expect([failedCalls, failuresByReason, finalFailures]).toEqual([1, ...Array(2).fill({ [`HTTP ${status}`]: 1 })]);
  expect(stopped).toMatchObject([{ model: 'm', reason: 'model_stopped' }]);
});

// Red when `lastsSince` in failing-streak.ts is always true: the model would stop for one question.
// Red when `unanswered` in ask.ts is an error like any other: the step would be tried five times.
test('a call that never succeeds while others do fails its page, and the model goes on', async () => {
  const seeds: number[] = [];
  const waiting: ServerResponse[] = [];
  let failures = 0;
  const endpoint = await answering((body, response) => {
    const { seed } = JSON.parse(body) as { seed: number };
    if (!seeds.includes(seed)) seeds.push(seed);
    if (seed !== seeds[0]) return void waiting.push(response);
    failures += 1;
    response.writeHead(500, { 'retry-after-ms': '1' }).end('{}');
    if (failures < 5) return undefined;
    for (const one of waiting.splice(0)) one.end(JSON.stringify({ model: 'm', choices: [choice([])] }));
    return undefined;
  });
  const { ledger, generate } = await ready({ endpoint, samples: 2, seeds: true, samplesPerRequest: 1 });
  await expect(limitUnclassified('generate', generate)(undefined)).rejects.toMatchObject({
    nonRetryable: true,
    message: expect.stringMatching(/^m: 12 attempts at one call failed, the last with: .*500/),
  });
  const found = { answered: 1, failedCalls: 12, finalFailures: { 'HTTP 500': 1 }, stopped: [] };
  expect(await ledger.progress()).toMatchObject(found);
});

// Red when ask.ts counts from one on every worker: the third would send twelve requests, not three.
test('a call has twelve attempts over all workers of its step, and as many again after a resume', async () => {
  const workers = [5, 9].map((stopsAt) => ({ stopsAt, stop: new AbortController() }));
  let asked = 0;
  const endpoint = await answering((_body, response) => {
    asked += 1;
    for (const { stopsAt, stop } of workers) if (stopsAt === asked) stop.abort();
    if (asked % 12 === 0) return void response.end(JSON.stringify({ model: 'm', choices: [] }));
    return void response.writeHead(500, { 'retry-after-ms': '1' }).end('{}');
  });
  const stops = workers.map(({ stop }) => stop.signal);
  const { ledger, generate } = await ready({ endpoint, samples: 2, samplesPerRequest: 2, stops });
  await expect(generate()).rejects.toMatchObject({ type: 'WorkerDraining' });
  await expect(generate()).rejects.toMatchObject({ type: 'WorkerDraining' });
  // The third worker saw nothing answered, but in no time: other questions may well be answered.
  await expect(generate()).rejects.toMatchObject({
    ...{ type: 'Unanswered', nonRetryable: true },
    message: expect.stringMatching(/^m: 12 attempts at one call failed, the last with: .*one choice/),
  });
  expect([asked, (await ledger.progress()).stopped]).toEqual([12, []]);

  const resumed = await ready({ ledger, endpoint, samples: 2, samplesPerRequest: 2 });
  await expect(resumed.generate()).rejects.toMatchObject({ type: 'Stopped' });
  expect(asked).toBe(24);
});

// Red when ask.ts sends before it looks at the count: a worker that ended at the wrong moment would cost one more.
test('a call with all its attempts made is not sent by the worker that takes its step over', async () => {
  const { ledger, epoch, generate, requests } = await ready({ samples: 1, stops: [AbortSignal.abort()] });
  await expect(generate()).rejects.toThrow();
  const fence = { unit: `${page}/generate/1`, epoch, attempt: 1 };
  for (let made = 0; made < 12; made += 1)
    await ledger.fail(await go(ledger, fence, call(0)), 'HTTP 500: overloaded', charge(0, 0), 5);
  await expect(generate()).rejects.toMatchObject({
    ...{ type: 'Unanswered', nonRetryable: true },
    message: 'm: 12 attempts at one call failed, the last with: HTTP 500: overloaded',
  });
  await ledger.setStop('m', 'model_stopped', 'by hand');
  await expect(generate()).rejects.toMatchObject({ type: 'Stopped' });
  expect(requests()).toBe(0);
});

/** How long the step goes on after a pause, which comes once `isTime` is true. */
async function secondsAfterPause(ledger: Ledger, step: Promise<unknown>, isTime: () => boolean): Promise<number> {
  const end = expect(step).rejects.toMatchObject({ type: 'Stopped', details: ['paused'] });
  await vi.waitUntil(isTime, { timeout: 20_000 });
  // So that the answer is stored, and the wait has begun.
  await sleep(1_000);
  const pausedMs = performance.now();
  await ledger.setStop(null, 'paused', 'paused by the user');
  await end;
  return (performance.now() - pausedMs) / 1_000;
}

// Red before: the step failed at once, Temporal tried it again half a minute later, and that attempt found no stop yet.
test('a step that waits for a closed account ends within a second or two of a pause', async () => {
  let asked = 0;
  const endpoint = await answering((_body, response) => {
    asked += 1;
    response.writeHead(429, { 'retry-after': '99999' }).end('{}');
  });
  const { ledger, generate } = await ready({ endpoint, samples: 1 });
  expect(await secondsAfterPause(ledger, generate(), () => asked === 1)).toBeLessThan(2);
  expect(asked).toBe(1);
});

// Red before: the pause before the tenth attempt is half a minute at least, and nothing cut it short.
test('a call that waits before its next attempt ends within a second or two of a pause', async () => {
  let asked = 0;
  const endpoint = await answering((_body, response) => {
    asked += 1;
    response.writeHead(500).end('{}');
  });
  const { ledger, epoch, generate } = await ready({ endpoint, samples: 1, stops: [AbortSignal.abort()] });
  await expect(generate()).rejects.toMatchObject({ type: 'WorkerDraining' });
  const fence = { unit: `${page}/generate/1`, epoch, attempt: 1 };
  for (let made = 0; made < 8; made += 1)
    await ledger.fail(await go(ledger, fence, call(0)), 'HTTP 500: overloaded', charge(0, 0), 5);
  expect(await secondsAfterPause(ledger, generate(), () => asked === 1)).toBeLessThan(2);
  expect(asked).toBe(1);
});

// Red when ask.ts counts the looks of a call that waits for room: its first failure would be its last.
test('a call that waits for room in the budget makes no attempts meanwhile', async () => {
  let asked = 0;
  const endpoint = await answering((_body, response) => {
    asked += 1;
    if (asked > 1) return void response.end(JSON.stringify({ model: 'm', choices: [choice([])] }));
    return void response.writeHead(500, { 'retry-after-ms': '1' }).end('{}');
  });
  const { ledger, generate, epoch } = await ready({ endpoint, samples: 1, cells: 2 });
  await ledger.setBudget({ usd: 100, tokens: null });
  const other = await ledger.openUnit('another', epoch);
  const intent = await go(ledger, other, call(1, { maxUsd: 100 }));
  const step = generate();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(asked).toBe(0);
  await ledger.release(intent, 'not needed');
  expect(await step).toMatchObject({ usable: [0, 1] });
});

// Red when ask.ts notes nothing: an endpoint that is down would look like one that is slow.
test('a model that answers nothing for some seconds is named, until it answers', async () => {
  let isUp = false;
  const endpoint = await answering((_body, response) => {
    if (isUp) return void response.end(JSON.stringify({ model: 'm', choices: [choice([])] }));
    return void response.writeHead(503).end('{"error":{"message":"loading"}}');
  });
  const { ledger, generate } = await ready({ endpoint, samples: 1 });
  const step = generate();
  await expect
    .poll(async () => (await ledger.progress()).failing, { timeout: 20_000, interval: 100 })
    .toMatchObject([{ answeringModel: 'm', reason: expect.stringMatching(/^HTTP 503: .*loading/) }]);
  isUp = true;
  await step;
  expect((await ledger.progress()).failing).toEqual([]);
});

// Red before: 40 calls tried 170 times in 8 s, and waited for up to 12 s once the endpoint was back.
test('while nothing listens one call at a time tries, and all go on soon after it is back', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const cells = madeUpTasks.length;
  let connections = 0;
  const count = (): void => {
    connections += 1;
  };
  subscribe('undici:client:beforeConnect', count);
  cleanUps.push(async () => void unsubscribe('undici:client:beforeConnect', count));
  const { ledger, generate } = await ready({ endpoint: `http://127.0.0.1:${port}/v1`, samples: 1, cells });
  const step = generate();
  await vi.waitUntil(() => connections > 0, { timeout: 10_000 });
  await sleep(300);
  // Those that had begun before the first of them failed, as many as are in flight at a time.
  const first = connections;
  expect(first).toBeLessThanOrEqual(32);
  await sleep(7_700);
  expect(connections - first).toBeGreaterThan(0);
  expect(connections - first).toBeLessThan(8);
  await answering((_body, response) => {
    response.end(JSON.stringify({ model: 'm', choices: [choice([])] }));
  }, port);
  const backMs = performance.now();
  expect((await step).usable).toHaveLength(cells);
  expect(performance.now() - backMs).toBeLessThan(3_500);
  expect(await ledger.progress()).toMatchObject({ answered: cells, failedCalls: 0, failing: [], stopped: [] });
});

/** The URL of an endpoint of the test's own. */
async function answering(answer: (body: string, response: ServerResponse) => void, port = 0): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(Buffer.concat(chunks).toString('utf8'), response));
  }).listen(port, '127.0.0.1');
  cleanUps.push(async () => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

// Red when `* draws.length` is left out of call.ts: four answers would then be asked for in the room of one.
// Red when ask.ts closes such a call as failed: it would be among the repeated calls, and a row of `calls`.
test('a call that was not sent because the key is missing is not counted, and stops the model', async () => {
  const key = () => {
    throw new ProviderFault('stop', 'the environment variable KEY is not set', { unsent: 'KEY is not set' });
  };
  const { ledger, generate, requests } = await ready({ samples: 1, key });
  await expect(generate()).rejects.toThrow(/KEY is not set/);
  expect(requests()).toBe(0);
  expect((await ledger.records(page)).calls).toEqual([]);
  expect(await ledger.progress()).toMatchObject({
    ...{ failedCalls: 0, lostCalls: 0, liveIntents: 0, failuresByReason: {}, unsentByReason: { 'KEY is not set': 1 } },
    ...{ spend: { reportedUsd: 0, estimatedUsd: 0, tokens: 0 }, stopped: [{ model: 'm', reason: 'model_stopped' }] },
  });
});

/** An endpoint that gives every request this answer. */
async function endpointOf(answer: object): Promise<string> {
  const server = createServer((_request, response) => void response.end(JSON.stringify(answer))).listen(0, '127.0.0.1');
  cleanUps.push(async () => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const program = '```python\ndef f(x):\n    return x\n```';
const choice = (values: readonly unknown[]) => ({
  finish_reason: 'stop',
  message: { content: program },
  logprobs: { content: values.map((logprob) => ({ logprob })) },
});

test.each([
  ['4294967295 tokens', { prompt_tokens: 4_294_967_295, completion_tokens: 4_294_967_295 }],
  ['1e15 tokens', { prompt_tokens: 1e15, completion_tokens: 1e15 }],
  ['reasoning of 1e15 tokens in the total alone', { prompt_tokens: 100, completion_tokens: 12, total_tokens: 1e15 }],
])('usage of %s is charged at no more than was reserved, kept, and counted', async (_, usage) => {
  const endpoint = await endpointOf({ model: 'm', choices: [choice([])], usage });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  // The prompt comes to 12 USD at most, one answer of 50 tokens and its marks to 6.6.
  await ledger.setBudget({ usd: 19, tokens: null });
  await generate();
  expect(await ledger.progress()).toMatchObject({ answered: 1, disbelievedCalls: 1 });
  expect((await ledger.progress()).spend.reportedUsd).toBeLessThan(19);
  expect((await ledger.progress()).spend.reportedUsd).toBeGreaterThan(6.6);
  expect((await ledger.records(page)).calls[0]?.charge?.usageReported).toMatch(/\d{10}/);
});

// Red before: it was called impossible and charged at 66 tokens, so a stranger's budget was exceeded ten times.
test('thoughts that do not count in the limit are charged as reported, and the model is known to think', async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 3_150,
    completion_tokens_details: { reasoning_tokens: 3_000 },
  };
  const endpoint = await endpointOf({ model: 'm', choices: [choice([])], usage });
  const { ledger, generate } = await ready({ samples: 2, samplesPerRequest: 1, concurrency: 1, endpoint });
  await generate();
  const { calls } = await ledger.records(page);
  expect(calls[0]?.charge).toMatchObject({ outputTokens: 3_150, reasoningTokens: 3_000 });
  // 100 prompt tokens at 10 a thousand, 3,150 at 100.
  expect(calls[0]?.charge?.usd).toBeCloseTo(1 + 315, 9);
  expect(calls.map(({ parametersSent }) => (JSON.parse(parametersSent) as { maxTokens?: number }).maxTokens)).toEqual([
    50,
    undefined,
  ]);
  expect(await ledger.progress()).toMatchObject({ answered: 2, disbelievedCalls: 0 });
});

// Red before: it was charged at its estimate, a quarter of the longest answer.
test('a complete answer without a choice is charged by the usage that came with it', async () => {
  let asked = 0;
  const endpoint = await answering((_, response) => {
    asked += 1;
    const choices = asked === 1 ? [] : [choice([])];
    response.end(JSON.stringify({ model: 'm', choices, usage: { prompt_tokens: 100, completion_tokens: 50 } }));
  });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  await generate();
  const [failed, answered] = (await ledger.records(page)).calls;
  expect(failed).toMatchObject({ status: 'failed', charge: { basis: 'reported', inputTokens: 100, outputTokens: 50 } });
  expect(failed?.charge?.usd).toBe(answered?.charge?.usd);
});

// Red before: only answers were looked at.
test('a call without an answer that costs more than it allows is noted', async () => {
  let asked = 0;
  const endpoint = await answering((_, response) => {
    asked += 1;
    const [choices, tokens] = asked === 1 ? [[], 5_000] : [[choice([])], 50];
    response.end(JSON.stringify({ model: 'm', choices, usage: { prompt_tokens: 100, completion_tokens: tokens } }));
  });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  await generate();
  // 100 prompt tokens at $10 a thousand, 5,000 at $100.
  expect(JSON.parse((await ledger.fact('overrun/m')) ?? '')).toMatchObject({ usd: 501 });
});

// Red before: a whole answer was charged a token for each byte of its text, although the endpoint bills its thoughts.
test('a call of which the cost stays unknown is charged at the most that it can cost, cut or whole', async () => {
  const asked: { readonly messages: readonly { readonly content: string }[] }[] = [];
  const endpoint = await answering((request, response) => {
    asked.push(JSON.parse(request));
    const body = JSON.stringify({ model: 'm', choices: [choice([])] });
    if (asked.length > 1) response.end(body);
    else response.writeHead(200, { 'content-length': body.length }).write(body.slice(0, 40), () => response.destroy());
  });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  await generate();
  const { calls } = await ledger.records(page);
  // $10 for 1,000 prompt tokens: one for each byte, 32 for each message, 512 for the request.
  const promptTokens = (asked[0]?.messages ?? []).reduce(
    (sum, { content }) => sum + Buffer.byteLength(content) + 32,
    512,
  );
  // $100 for 1,000 of an answer: 50 are allowed, and 16 for marks.
  const mostUsd = promptTokens / 100 + 6.6;
  expect(calls.map(({ status, charge }) => [status, charge?.basis])).toEqual([
    ['failed', 'estimated'],
    ['answered', 'estimated'],
  ]);
  for (const { charge } of calls) expect(charge?.usd).toBeCloseTo(mostUsd, 9);
  expect((await ledger.progress()).spend.estimatedUsd).toBeCloseTo(2 * mostUsd, 9);
});

test.each([
  ['three for fifty tokens', Array<number>(3).fill(-0.5), /got 3 for 50 tokens/],
  ['two thousand for fifty tokens', Array<number>(2_000).fill(-0.5), /got 2000 for 50 tokens/],
  ['a positive one', [...Array<number>(49).fill(-0.5), 3], /at most 0, got 3$/],
  ['one that is not a number', [...Array<number>(49).fill(-0.5), 'NaN'], /got something that is not a number/],
])('log-probabilities that cannot be are not kept, with the reason: %s', async (_, values, reason) => {
  const endpoint = await endpointOf({
    model: 'm',
    choices: [choice(values)],
    usage: { prompt_tokens: 100, completion_tokens: 50 },
  });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  await generate();
  const [sample] = await ledger.samples(page);
  expect(sample?.reply.logprobs).toBeNull();
  expect(sample?.reply.logprobFault).toMatch(reason);
});

test('log-probabilities of all tokens, or of all but the end marker, are kept', async () => {
  const endpoint = await endpointOf({
    ...{ model: 'm', choices: [choice(Array<number>(49).fill(-0.5))] },
    usage: { prompt_tokens: 100, completion_tokens: 50 },
  });
  const { ledger, generate } = await ready({ samples: 1, endpoint });
  await generate();
  expect((await ledger.samples(page))[0]?.reply.logprobs).toHaveLength(49);
});

test('the budget must cover all answers of a request', async () => {
  const { ledger, generate, requests } = await ready({ samples: 4 });
  // 4 answers of 50 tokens and their marks come to 26.4 USD at most, the prompt to less than 12.
  await ledger.setBudget({ usd: 26, tokens: null });
  await expect(generate()).rejects.toThrow(/budget/);
  expect(requests()).toBe(0);
  await ledger.setBudget({ usd: 39, tokens: null });
  expect(await generate()).toEqual({ usable: [0], unusable: [] });
});

test('a request in flight when its worker died is lost as a whole, charged once, and asked again', async () => {
  const { ledger, generate } = await ready({ samples: 4, profile: { latencyMs: 300 } });
  const overtaken = generate();
  while ((await ledger.progress()).liveIntents === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await generate();
  await overtaken.catch(() => {});
  // Its reply came after all: it is paid, and what counts is in the ledger once.
  expect(await ledger.progress()).toMatchObject({ lostCalls: 0, answered: 8, spend: { estimatedUsd: 0 } });
  expect(await sampleNumbers(ledger)).toEqual([0, 1, 2, 3]);
  const calls = (await ledger.records(page)).calls;
  expect(calls.map(({ n }) => n)).toEqual([4, 4]);
  expect(calls.filter(({ used }) => used)).toHaveLength(1);
});

// Red without the look at `isOverdue`: 54 calls were sent after waking, cut off and asked again.
test('a worker suspended past its heartbeat timeout sends nothing more; unsent calls are not counted', async () => {
  const overdue = [false, true, true];
  const { ledger, generate, requests } = await ready({
    cells: 3,
    samples: 1,
    isOverdue: () => overdue.shift() ?? false,
  });
  await expect(generate()).rejects.toMatchObject({ type: 'WorkerDraining' });
  expect(requests()).toBe(1);
  expect(await ledger.progress()).toMatchObject({ answered: 1, failedCalls: 0, lostCalls: 0, liveIntents: 0 });
  expect(await generate()).toEqual({ usable: [0, 1, 2], unusable: [] });
  expect(requests()).toBe(3);
});

test('a process is overdue once its timers were later than a step may be silent, even if on time again', () => {
  let nowMs = 0;
  const { beat, isOverdue } = watchSilence(6_000, () => nowMs);
  for (; nowMs < 60_000; nowMs += 2_000) beat();
  expect(isOverdue()).toBe(false);
  nowMs += 6_001;
  beat();
  expect(isOverdue()).toBe(true);
  nowMs += 1;
  beat();
  expect(isOverdue()).toBe(true);
});

test('a model that reports thoughts is no longer sent the study’s limit; answers that it cut count', async () => {
  const thinking = { profile: { reasoning: { tokens: 80 } }, samplesPerRequest: 1, samples: 5 };
  const { generate, ledger } = await ready(thinking);
  await generate();
  const sent = (await ledger.records(page)).calls.map(({ parametersSent }) => JSON.parse(parametersSent).maxTokens);
  // The first calls are under way before the first answer tells.
  expect(sent).toEqual([50, 50, 50, 50, 50]);
  expect(
    (await ledger.samples(page)).map(({ reply }) => [reply.text, reply.finishReason, reply.reasoningTokens]),
  ).toEqual(Array.from({ length: 5 }, () => ['', 'length', 50]));
  expect((await ledger.progress()).cutAnswers).toEqual([{ model: 'm', cut: 5, answered: 5 }]);

  const more = await ready({ ...thinking, samples: 8, ledger });
  await more.generate();
  const later = (await ledger.records(page)).calls.slice(5);
  expect(later.map(({ parametersSent }) => JSON.parse(parametersSent).maxTokens)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

// Red when the request is made before its account lets it in, and not again.
test('calls that wait while the first answer tells of thoughts are sent without the limit', async () => {
  const thinking = { profile: { reasoning: { tokens: 80 } }, samplesPerRequest: 1, samples: 4, concurrency: 1 };
  const { generate, ledger } = await ready(thinking);
  await generate();
  const calls = (await ledger.records(page)).calls;
  const sent = calls.map(({ parametersSent }) => JSON.parse(parametersSent).maxTokens as number | undefined);
  expect(sent.filter((limit) => limit === 50)).toHaveLength(1);
  expect(calls.filter(({ parametersSent }) => !parametersSent.includes('maxTokens'))).toHaveLength(3);
  expect((await ledger.samples(page)).filter(({ reply }) => reply.text.includes('def '))).toHaveLength(3);
});

test('a limit of the model’s own is sent to a model that thinks', async () => {
  const { generate, ledger } = await ready({
    ...{ profile: { reasoning: { tokens: 80 } }, samplesPerRequest: 1, samples: 1, parameters: { maxTokens: 200 } },
  });
  await generate();
  await (await ready({ samplesPerRequest: 1, samples: 2, ledger, parameters: { maxTokens: 200 } })).generate();
  expect((await ledger.records(page)).calls.map(({ parametersSent }) => JSON.parse(parametersSent).maxTokens)).toEqual([
    200, 200,
  ]);
});

test('a study’s effort is sent to the model under study, without the study’s limit', async () => {
  const { generate, ledger } = await ready({
    ...{ profile: { reasoning: { tokens: 100 } }, samplesPerRequest: 1, samples: 1, efforts: ['high'] },
  });
  await generate();
  const [call] = (await ledger.records(page)).calls;
  expect(JSON.parse(call?.parametersSent ?? '')).toEqual({ temperature: 0.8, reasoningEffort: 'high' });
  expect(call?.charge?.reasoningTokens).toBe(300);
});
