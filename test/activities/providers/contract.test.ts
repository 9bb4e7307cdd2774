/**
 * What every kind of account and every built-in provider keeps to.
 * A new kind passes by being registered and set up here.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { accountProviders, builtInProviders, createAccountProvider } from '../../../activities/providers/index.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import type { Provider } from '../../../activities/providers/provider.ts';
import { createReplayProvider } from '../../../activities/providers/replay.ts';
import { createSimulatedProvider } from '../../../activities/providers/simulated.ts';
import { replyStatusOf } from '../../../domain/reply-status.ts';
import type { AccountKind, BuiltInName } from '../../../schemas/spec/account.ts';
import type { ChatRequest } from '../../../schemas/chat.ts';
import type { TransportFault } from '../../../simulator/faults.ts';
import { type SimulatedProfileInput, simulatedProfile } from '../../../simulator/profile.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { madeUpTasks } from '../../simulator/tasks.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const latencyMs = 200;
const timeoutMs = 1_000;

/** What a provider's model does; a recording holds the same as lines. */
interface Wanted {
  readonly profile?: SimulatedProfileInput;
  readonly line?: Readonly<Record<string, unknown>>;
}

/** A ready provider of each kind that answers `question`. */
const ready: Readonly<Record<Provider['kind'], (wanted: Wanted) => Promise<Provider>>> = {
  openai: (wanted) => ofAccount('openai', wanted),
  simulator: (wanted) => ofAccount('simulator', wanted),
  simulated: async ({ profile }) =>
    createSimulatedProvider({ name: 'sim', profile: profileOf(profile), tasks: madeUpTasks }),
  async replay({ line }) {
    const folder = await mkdtemp(join(tmpdir(), 'replay-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const file = join(folder, 'replies.jsonl');
    const answer = {
      task_id: 'Mbpp/2',
      reply: 'def solve_0(value): ...',
      input_tokens: 7,
      output_tokens: 5,
      logprobs: [-0.5, -0.25],
    };
    await writeFile(file, `${JSON.stringify({ ...answer, model: 'sim', ...line })}\n`);
    return createReplayProvider({ file, sha256: null });
  },
};

/** An account of that kind at a server of simulated models, which speaks OpenAI's protocol. */
async function ofAccount(kind: AccountKind, { profile }: Wanted): Promise<Provider> {
  const models = [{ name: 'sim', profile: profileOf(profile) }];
  const server = await startSimulatorServer({ models, tasks: madeUpTasks, port: 0 });
  cleanUps.push(server.close);
  return createAccountProvider({ kind, baseUrl: server.url, timeoutMs, maxReplyBytes: 1024 * 1024, limits: {} });
}

const profileOf = (input: SimulatedProfileInput = {}) =>
  simulatedProfile({ competence: 1, logprobs: true, latencyMs, ...input });

async function make(kind: Provider['kind'], wanted: Wanted = {}): Promise<Provider> {
  const provider = await ready[kind](wanted);
  cleanUps.push(() => provider.close());
  return provider;
}

const ask = (provider: Provider, request: ChatRequest = question) =>
  onlyOf(provider.ask(request, coordinates, unhurried));

async function faultOf(asked: Promise<unknown>): Promise<ProviderFault> {
  const outcome = await asked.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ProviderFault);
  return outcome as ProviderFault;
}

const accountKinds = Object.keys(accountProviders) as AccountKind[];
const kinds = [...accountKinds, ...(Object.keys(builtInProviders) as BuiltInName[])];

describe.each(kinds)('%s', (kind) => {
  test('answers a known call with text, finish reason, model, usage and non-positive log-probabilities', async () => {
    const provider = await make(kind);
    const reply = await ask(provider);
    expect(reply.text).toContain('def solve_0(value)');
    expect(reply).toMatchObject({ finishReason: 'stop', returnedModel: 'sim' });
    expect(reply.inputTokens).toBeGreaterThan(0);
    expect(reply.outputTokens).toBeGreaterThan(0);
    expect(reply.logprobs?.length).toBeGreaterThan(0);
    expect(reply.logprobs?.every((value) => value <= 0)).toBe(true);
    expect(kinds).toContain(provider.kind);
    expect(provider.simulated).toBe(kind === 'simulated');
  });

  test.each([
    ['refusal', { refusal: 1 }, { reply: 'I cannot', finish_reason: 'refusal' }],
    ['empty', { empty: 1 }, { reply: '' }],
    ['truncated', { truncated: 1 }, { reply: 'def sol', finish_reason: 'length' }],
    ['content_filter', { contentFilter: 1 }, { reply: '', finish_reason: 'content_filter' }],
  ])('an answer that is %s is a result with that status, never a fault', async (status, faults, line) => {
    expect(replyStatusOf(await ask(await make(kind, { profile: { faults }, line })))).toBe(status);
  });

  test('gives the same endpoint identity when made again in the same way', async () => {
    const [first, second] = [await make(kind), await make(kind)];
    if (!accountKinds.some((account) => account === kind)) expect(second.endpointIdentity).toBe(first.endpointIdentity);
    expect(first.endpointIdentity).not.toBe('');
  });

  test('a request for three brings three replies, the tokens of them all with the first', async () => {
    const provider = await make(kind);
    const one = await ask(provider);
    const replies = await provider.ask({ ...question, n: 3 }, coordinates, unhurried);
    expect(replies.map(({ text }) => text)).toEqual([one.text, one.text, one.text]);
    expect(replies.map(({ logprobs }) => logprobs)).toEqual([one.logprobs, one.logprobs, one.logprobs]);
    expect(replies[0]?.outputTokens).toBe(3 * (one.outputTokens ?? 0));
    const noTokens = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null };
    for (const reply of replies.slice(1)) expect(reply).toMatchObject(noTokens);
  });

  test('thoughts are kept apart from the answer, and their tokens are counted', async () => {
    const plain = await ask(await make(kind));
    const line = { reasoning: 'Let me think', reasoning_tokens: 40, output_tokens: 45 };
    const reply = await ask(await make(kind, { profile: { reasoning: { tokens: 40, shown: true } }, line }));
    expect(reply.text).toBe(plain.text);
    expect(reply.reasoning).toContain('Let me think');
    expect(reply.reasoningTokens).toBe(40);
    expect(reply.outputTokens).toBe((plain.outputTokens ?? 0) + 40);
    expect(plain.reasoning).toBeUndefined();
  });

  test('answers calls side by side', async () => {
    const provider = await make(kind);
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(provider)));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test('rejects with the reason of a signal that fired before the call', async () => {
    const reason = new Error('stopped by the test');
    await expect((await make(kind)).ask(question, coordinates, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test('a call that a recording does not hold stops its model: asking again would change nothing', async () => {
  const provider = await make('replay');
  const fault = await faultOf(
    provider.ask(question, { ...coordinates, taskId: 'none', sourceTaskId: 'none' }, unhurried),
  );
  expect(fault).toMatchObject({ kind: 'stop', maybeBilled: false });
});

/** Every mishap of the simulator, and what a provider makes of it. */
const faultsThatPass: Readonly<Record<TransportFault, object>> = {
  rateLimited: { httpStatus: 429, retryAfterMs: 1_500, maybeBilled: false },
  serverError: { httpStatus: 500, maybeBilled: false },
  requestTimeout: { httpStatus: 408, maybeBilled: false },
  conflict: { httpStatus: 409, maybeBilled: false },
  broken: { httpStatus: null, maybeBilled: true },
  malformed: { httpStatus: null, maybeBilled: true },
  noChoices: { httpStatus: null, maybeBilled: true },
  hang: { httpStatus: null, maybeBilled: true },
  drip: { httpStatus: null, maybeBilled: true },
};

/** A recording answers at once and never fails in between; the others wait, and meet what networks do. */
describe.each(kinds.filter((kind) => kind !== 'replay'))('%s', (kind) => {
  test('rejects with the reason of a signal that fires while the answer is awaited', async () => {
    const reason = new Error('stopped by the test');
    const provider = await make(kind);
    for (const afterMs of [0, 5]) {
      const controller = new AbortController();
      const asked = provider.ask(question, coordinates, controller.signal);
      setTimeout(() => controller.abort(reason), afterMs);
      await expect(asked).rejects.toBe(reason);
    }
  });

  test.each(Object.entries(faultsThatPass))(
    '%s is a fault that may pass, and the next attempt is answered',
    async (fault, shown) => {
      const provider = await make(kind, {
        profile: { hangMs: 1_500, retryAfterMs: 1_500, maxFaultsPerCall: 1, faults: { [fault]: 1 } },
      });
      expect(await faultOf(ask(provider))).toMatchObject({ kind: 'retry', ...shown });
      expect((await ask(provider)).text).toContain('def solve_0');
    },
  );

  test.each([
    ['unauthorized', 401],
    ['forbidden', 403],
    ['notFound', 404],
    ['quota', 429],
  ] as const)('a model closed as %s (%i) is stopped', async (closed, httpStatus) => {
    expect(await faultOf(ask(await make(kind, { profile: { closed } })))).toMatchObject({
      kind: 'stop',
      httpStatus,
      maybeBilled: false,
    });
  });

  test('a refused parameter stops the model and names its spec field; without it the model answers', async () => {
    const provider = await make(kind, { profile: { refuses: ['max_tokens'] } });
    const specField = { of: 'model', path: ['parameters', 'maxTokens'] };
    expect(await faultOf(ask(provider))).toMatchObject({ kind: 'stop', httpStatus: 400, specField });
    const instead = { ...question, parameters: { maxCompletionTokens: 1_024 } };
    expect((await ask(provider, instead)).text).toContain('def solve_0');
  });

  test('a model that refuses n says so only where several were asked for', async () => {
    const provider = await make(kind, { profile: { refuses: ['n'] } });
    const refused = faultOf(provider.ask({ ...question, n: 2 }, coordinates, unhurried));
    expect(await refused).toMatchObject({ kind: 'single', httpStatus: 400, maybeBilled: false });
    expect((await ask(provider)).text).toContain('def solve_0');
  });

  test('another refusal of a request for several is no refusal of n', async () => {
    const provider = await make(kind, { profile: { refuses: ['logprobs'] } });
    expect(await faultOf(provider.ask({ ...question, n: 2 }, coordinates, unhurried))).toMatchObject({
      kind: 'stop',
      httpStatus: 400,
    });
  });

  test.each([
    ['fewer', 5, 3],
    ['fewer', 2, 1],
    ['more', 5, 5],
  ] as const)(
    'an endpoint that gives %s than the %i choices asked for brings %i replies',
    async (choices, n, count) => {
      const provider = await make(kind, { profile: { choices } });
      expect(await provider.ask({ ...question, n }, coordinates, unhurried)).toHaveLength(count);
      expect((await ask(provider)).text).toContain('def solve_0');
    },
  );

  test.each(['maxTokens', 'maxCompletionTokens'])('%s ends an answer, which is then truncated', async (name) => {
    const reply = await ask(await make(kind), { ...question, parameters: { [name]: 3 } });
    expect(reply).toMatchObject({ finishReason: 'length', outputTokens: 3 });
  });

  test('the effort that is asked for decides how long a model thinks', async () => {
    const provider = await make(kind, { profile: { reasoning: { tokens: 100 } } });
    const thought = async (reasoningEffort: 'none' | 'low' | 'high') =>
      (await ask(provider, { ...question, parameters: { reasoningEffort } })).reasoningTokens;
    expect([await thought('none'), await thought('low'), await thought('high')]).toEqual([0, 30, 300]);
  });

  test('thoughts use up the limit: the answer is cut before it begins', async () => {
    const provider = await make(kind, { profile: { reasoning: { tokens: 100 } } });
    const reply = await ask(provider, { ...question, parameters: { maxTokens: 60 } });
    expect(reply).toMatchObject({ text: '', finishReason: 'length', outputTokens: 60, reasoningTokens: 60 });
  });

  test('log-probabilities that are not asked for, or not given, are null', async () => {
    expect((await ask(await make(kind), { ...question, parameters: {} })).logprobs).toBeNull();
    expect((await ask(await make(kind, { profile: { logprobs: false } }))).logprobs).toBeNull();
  });

  test('another model name and another fingerprint in the answer are told', async () => {
    const usual = await ask(await make(kind));
    expect((await ask(await make(kind, { profile: { faults: { wrongModel: 1 } } }))).returnedModel).not.toBe(
      usual.returnedModel,
    );
    expect((await ask(await make(kind, { profile: { faults: { otherFingerprint: 1 } } }))).fingerprint).toMatch(/-b$/);
  });
});
