/** The Responses API, and streams of both APIs, at a server of simulated models: the answers of a plain request. */
import { afterEach, describe, expect, test } from 'vitest';
import { createAccountProvider } from '../../../activities/providers/index.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import type { Provider } from '../../../activities/providers/provider.ts';
import { replyStatusOf } from '../../../domain/reply-status.ts';
import type { ChatReply, ChatRequest } from '../../../schemas/chat.ts';
import { type SimulatedProfileInput, simulatedProfile } from '../../../simulator/profile.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { madeUpTasks } from '../../simulator/tasks.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

type Account = { readonly api?: 'chat' | 'responses'; readonly stream?: boolean };

async function make(account: Account, profile: SimulatedProfileInput = {}): Promise<Provider> {
  const models = [{ name: 'sim', profile: simulatedProfile({ competence: 1, logprobs: true, ...profile }) }];
  const server = await startSimulatorServer({ models, tasks: madeUpTasks, port: 0 });
  cleanUps.push(server.close);
  const limits = { timeoutMs: 1_000, maxReplyBytes: 1024 * 1024, limits: {} };
  const provider = createAccountProvider({ kind: 'openai', baseUrl: server.url, ...limits, ...account });
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

/** What all APIs report alike: the Responses API has no fingerprint, and each names requests in its own way. */
const withoutNames = ({ fingerprint: _fingerprint, requestId: _id, ...reply }: ChatReply): object => reply;

const accounts: readonly (readonly [string, Account])[] = [
  ['chat, streamed', { stream: true }],
  ['responses', { api: 'responses' }],
  ['responses, streamed', { api: 'responses', stream: true }],
];

describe.each(accounts)('%s', (_name, account) => {
  test.each([
    ['an answer', {}],
    ['an answer with thoughts', { reasoning: { tokens: 30, shown: true } }],
    ['a refusal', { faults: { refusal: 1 } }],
    ['an empty answer', { faults: { empty: 1 } }],
    ['a cut answer', { faults: { truncated: 1 } }],
    ['a filtered answer', { faults: { contentFilter: 1 } }],
  ] as const)('%s is that of a chat completion, with its usage', async (_what, profile) => {
    const [plain, reply] = [await ask(await make({}, profile)), await ask(await make(account, profile))];
    expect(withoutNames(reply)).toEqual(withoutNames(plain));
    expect(replyStatusOf(reply)).toBe(replyStatusOf(plain));
  });

  test('effort and limits are sent under the names of the API', async () => {
    const provider = await make(account, { reasoning: { tokens: 100 } });
    const thought = async (parameters: ChatRequest['parameters']) =>
      (await ask(provider, { ...question, parameters })).reasoningTokens;
    expect(await thought({ reasoningEffort: 'high' })).toBe(300);
    expect(await thought({ reasoningEffort: 'high', maxCompletionTokens: 50 })).toBe(50);
    expect(await thought({ maxTokens: 40 })).toBe(40);
  });

  test.each(['broken', 'malformed', 'noChoices', 'hang', 'drip'])(
    'an answer that is cut (%s) is no answer: it may be billed, and the next attempt is answered',
    async (fault) => {
      const provider = await make(account, { hangMs: 1_500, maxFaultsPerCall: 1, faults: { [fault]: 1 } });
      expect(await faultOf(ask(provider))).toMatchObject({ kind: 'retry', maybeBilled: true });
      expect((await ask(provider)).text).toContain('def solve_0');
    },
  );

  test('refusals of the endpoint stop the model and name the field of the spec', async () => {
    expect(await faultOf(ask(await make(account, { closed: 'unauthorized' })))).toMatchObject({ httpStatus: 401 });
    expect(await faultOf(ask(await make(account, { refuses: ['temperature'] })))).toMatchObject({
      ...{ kind: 'stop', httpStatus: 400, specField: { of: 'model', path: ['parameters', 'temperature'] } },
    });
    const limited = await faultOf(ask(await make(account, { faults: { rateLimited: 1 }, retryAfterMs: 500 })));
    expect(limited).toMatchObject({ kind: 'retry', httpStatus: 429, retryAfterMs: 500 });
  });
});

test('a model asked by another API is another endpoint; a stream is the same one', async () => {
  const provider = await make({});
  const url = provider.endpointIdentity;
  const limits = { timeoutMs: 1_000, maxReplyBytes: 1024 * 1024, limits: {} };
  const identity = (account: Account) =>
    createAccountProvider({ kind: 'openai', baseUrl: url, ...limits, ...account }).endpointIdentity;
  expect(identity({ stream: true })).toBe(url);
  expect(identity({ api: 'responses' })).toBe(`${url}/responses`);
});

test('several answers to a request come in one stream', async () => {
  const [one, provider] = [await ask(await make({})), await make({ stream: true })];
  const replies = await provider.ask({ ...question, n: 3 }, coordinates, unhurried);
  expect(replies.map(({ text }) => text)).toEqual([one.text, one.text, one.text]);
  expect(replies[0]?.outputTokens).toBe(3 * (one.outputTokens ?? 0));
});
