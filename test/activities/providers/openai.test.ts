import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import type { EndpointOptions } from '../../../activities/providers/endpoint-options.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import { tlsRefusal } from '../../../activities/providers/tls-refusal.ts';
import type { ChatRequest } from '../../../schemas/chat.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';
import type { SimulatedProfileInput } from '../../../simulator/profile.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { madeUpTasks } from '../../simulator/tasks.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function simulator(profile: SimulatedProfileInput, apiKey?: string): Promise<string> {
  const models = [{ name: 'sim', profile: simulatedProfile(profile) }];
  const server = await startSimulatorServer({
    models,
    tasks: madeUpTasks,
    port: 0,
    ...(apiKey !== undefined && { apiKey }),
  });
  stops.push(server.close);
  return server.url;
}

/** A server that gives one answer to everything and keeps what it was sent. */
async function scripted(answer: (response: ServerResponse) => void) {
  const received: { body: Record<string, unknown>; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body: JSON.parse(body), headers: request.headers });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`, received };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const completion = (choice: object, more: object = {}) => ({
  model: 'm-2024',
  choices: [{ finish_reason: 'stop', ...choice }],
  ...more,
});

const ask = (baseUrl: string, options: Partial<EndpointOptions> = {}, request: ChatRequest = question) =>
  onlyOf(
    createOpenAiProvider({ baseUrl, apiKey: 'sk-secret-1', timeoutMs: 5_000, ...options }).ask(
      request,
      coordinates,
      unhurried,
    ),
  );

async function faultOf(asked: Promise<unknown>): Promise<ProviderFault> {
  const outcome = await asked.catch((error: unknown) => error);
  if (outcome instanceof ProviderFault) return outcome;
  throw new Error(`no ProviderFault: ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`);
}

describe('a request for several answers', () => {
  const choice = (content: string, finish_reason = 'stop') => ({ finish_reason, message: { content } });
  const askFor = async (n: number, url: string) =>
    createOpenAiProvider({ baseUrl: url, apiKey: null, timeoutMs: 5_000 }).ask(
      { ...question, n },
      coordinates,
      unhurried,
    );

  test('a choice that the endpoint broke off is left out; without any other the call is asked again', async () => {
    const half = await scripted(
      json(200, { choices: [choice('a', 'error'), choice('b'), choice('c')], usage: { completion_tokens: 9 } }),
    );
    const replies = await askFor(3, half.url);
    expect(replies.map(({ text, outputTokens }) => [text, outputTokens])).toEqual([
      ['b', 9],
      ['c', null],
    ]);
    const none = await scripted(json(200, { choices: [choice('a', 'error'), choice('b', 'abort')] }));
    expect(await faultOf(askFor(2, none.url))).toMatchObject({ kind: 'retry', maybeBilled: true });
  });

  test('choices count in the order of their numbers, also where only one was asked for', async () => {
    const choices = [
      { ...choice('second'), index: 1 },
      { ...choice('first'), index: 0 },
    ];
    const { url } = await scripted(json(200, { choices }));
    expect((await askFor(2, url)).map(({ text }) => text)).toEqual(['first', 'second']);
    expect((await askFor(1, url)).map(({ text }) => text)).toEqual(['first']);
    const unnumbered = await scripted(json(200, { choices: [choice('a'), { ...choice('b'), index: 0 }] }));
    expect((await askFor(2, unnumbered.url)).map(({ text }) => text)).toEqual(['a', 'b']);
  });

  test('a prompt that a filter refuses is answered so for every draw', async () => {
    const { url } = await scripted(json(400, { error: { message: 'filtered', code: 'content_filter' } }));
    expect((await askFor(3, url)).map(({ finishReason }) => finishReason)).toEqual([
      'content_filter',
      'content_filter',
      'content_filter',
    ]);
  });

  test.each([
    [400, { message: 'Only n = 1 is supported' }, 'single'],
    [422, { message: 'n must be 1' }, 'single'],
    [400, { message: 'Invalid value', param: 'n' }, 'single'],
    [400, { message: 'Only one completion choice is allowed' }, 'single'],
    [400, { message: 'Multiple candidates is not enabled for this model' }, 'single'],
    [400, { message: 'Unsupported parameter: temperature' }, 'stop'],
    [400, { message: 'n_ctx is too small' }, 'stop'],
    [400, { message: 'n or seed', param: 'seed' }, 'stop'],
    [401, { message: 'no key for n' }, 'stop'],
    [500, { message: 'n' }, 'retry'],
  ])('%i with %j is a fault of kind %s', async (status, error, kind) => {
    const { url } = await scripted(json(status, { error }));
    expect(await faultOf(askFor(2, url))).toMatchObject({ kind, httpStatus: status });
  });

  // Red when `n > 1` is left out of openai-fault.ts: the same request would be sent for ever.
  test('a 400 that names n stops a model that was asked for one answer', async () => {
    const { url } = await scripted(json(400, { error: { message: 'Invalid value', param: 'n' } }));
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'stop', httpStatus: 400 });
  });
});

describe('faults that are asked again', () => {
  test.each([
    ['rateLimited', { httpStatus: 429, retryAfterMs: 1500, maybeBilled: false }],
    ['requestTimeout', { httpStatus: 408, retryAfterMs: null, maybeBilled: false }],
    ['conflict', { httpStatus: 409, retryAfterMs: null, maybeBilled: false }],
    ['serverError', { httpStatus: 500, retryAfterMs: null, maybeBilled: false }],
    ['broken', { httpStatus: null, maybeBilled: true, message: expect.stringContaining('connection lost') }],
    ['malformed', { httpStatus: null, maybeBilled: true, message: expect.stringContaining('not complete JSON') }],
    ['noChoices', { httpStatus: null, maybeBilled: true, message: expect.stringContaining('choices') }],
  ] as const)('%s of the simulator, after which the call is answered', async (fault, shown) => {
    const provider = createOpenAiProvider({
      baseUrl: await simulator({ competence: 1, retryAfterMs: 1500, maxFaultsPerCall: 1, faults: { [fault]: 1 } }),
      apiKey: null,
      timeoutMs: 5_000,
    });
    expect(await faultOf(provider.ask(question, coordinates, unhurried))).toMatchObject({ kind: 'retry', ...shown });
    expect((await onlyOf(provider.ask(question, coordinates, unhurried))).text).toContain('def solve_0');
  });

  test('a hang ends at the time limit, perhaps billed', async () => {
    const startedMs = performance.now();
    const fault = await faultOf(ask(await simulator({ faults: { hang: 1 } }), { timeoutMs: 200 }));
    expect(fault).toMatchObject({
      kind: 'retry',
      maybeBilled: true,
      message: expect.stringContaining('within 200 ms'),
    });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  test('a dripping answer ends at the time limit, counted from sending and not from the last byte', async () => {
    const startedMs = performance.now();
    const fault = await faultOf(ask(await simulator({ hangMs: 30_000, faults: { drip: 1 } }), { timeoutMs: 400 }));
    expect(fault).toMatchObject({
      kind: 'retry',
      maybeBilled: true,
      message: expect.stringContaining('within 400 ms'),
    });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  test('an answer that stops arriving in its middle ends at the time limit', async () => {
    const { url } = await scripted((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":'),
    );
    expect(await faultOf(ask(url, { timeoutMs: 300 }))).toMatchObject({ kind: 'retry', maybeBilled: true });
  });

  test('a refused connection was certainly not billed', async () => {
    const { url } = await scripted(json(200, {}));
    await stops.pop()?.();
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'retry', maybeBilled: false });
  });

  test.each([408, 409, 425, 500, 502, 503, 529])('status %i', async (status) => {
    const { url } = await scripted(json(status, { error: { message: 'later' } }));
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'retry', httpStatus: status });
  });

  test('a web page in place of an answer', async () => {
    const { url } = await scripted((response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>'),
    );
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'retry', maybeBilled: true });
  });

  // OpenRouter sends its 200 before it knows how the endpoint behind it does.
  test.each([
    [429, { kind: 'retry', httpStatus: 429, retryAfterMs: 2_000, maybeBilled: false }],
    ['503', { kind: 'retry', httpStatus: 503 }],
    [401, { kind: 'stop', httpStatus: 401, specField: { of: 'provider', path: ['apiKeyEnv'] } }],
    ['upstream', { kind: 'retry', httpStatus: null, maybeBilled: true }],
    [undefined, { kind: 'retry', httpStatus: null, maybeBilled: true }],
  ])('a failure with code %s behind a 200', async (code, fault) => {
    const { url } = await scripted(
      json(200, { error: { message: 'Provider returned error', code } }, { 'retry-after': '2' }),
    );
    expect(await faultOf(ask(url))).toMatchObject({
      ...fault,
      message: expect.stringContaining('Provider returned error'),
    });
  });

  // Red before: the schema's complaint about missing choices.
  test('a failure that is only a text, behind a 200', async () => {
    const { url } = await scripted(json(200, { error: 'model is loading' }));
    expect(await faultOf(ask(url))).toMatchObject({
      ...{ kind: 'retry', maybeBilled: true, message: expect.stringMatching(/: model is loading$/) },
    });
  });

  test('an empty error next to an answer is ignored', async () => {
    const { url } = await scripted(json(200, completion({ message: { content: 'hi' } }, { error: null })));
    expect((await ask(url)).text).toBe('hi');
  });

  test.each(['insufficient_system_resource', 'error', 'abort'])(
    'an answer that the endpoint broke off with finish reason %s',
    async (reason) => {
      const { url } = await scripted(json(200, completion({ message: { content: 'def f' }, finish_reason: reason })));
      expect(await faultOf(ask(url))).toMatchObject({
        kind: 'retry',
        maybeBilled: true,
        message: expect.stringContaining(reason),
      });
    },
  );

  test('nothing is sent twice by the client itself', async () => {
    const { url, received } = await scripted(json(500, { error: { message: 'later' } }));
    await faultOf(ask(url));
    expect(received).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const waitOf = async (headers: Record<string, string>) =>
    (await faultOf(ask((await scripted(json(429, { error: { message: 'slow down' } }, headers))).url))).retryAfterMs;

  test('is read in seconds, in milliseconds and as a date', async () => {
    expect(await waitOf({ 'retry-after': '2' })).toBe(2000);
    expect(await waitOf({ 'retry-after': '2', 'retry-after-ms': '1250' })).toBe(1250);
    const inAMinute = await waitOf({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    expect(inAMinute).toBeGreaterThan(57_000);
    expect(inAMinute).toBeLessThanOrEqual(60_000);
  });

  test('is null when absent or unreadable, and 0 for a date that is past', async () => {
    expect(await waitOf({})).toBeNull();
    expect(await waitOf({ 'retry-after': 'soon' })).toBeNull();
    expect(await waitOf({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })).toBe(0);
  });
});

describe('faults that stop a model', () => {
  // Red before: `apiKeyEnv` alone.
  test('401 names apiKeyEnv and headersEnv, and never the key', async () => {
    const fault = await faultOf(ask(await simulator({}, 'right-key')));
    expect(fault).toMatchObject({
      kind: 'stop',
      httpStatus: 401,
      message: expect.stringMatching(/apiKeyEnv.*headersEnv/),
    });
    const { url } = await scripted(json(401, { error: { message: 'bad key sk-secret-1 and header-secret' } }));
    const echoed = await faultOf(ask(url, { headers: { 'x-gateway': 'header-secret' } }));
    expect(echoed.message).not.toMatch(/sk-secret-1|header-secret/);
  });

  test('404 names the model field and the URL field', async () => {
    const fault = await faultOf(ask(await simulator({}), {}, { ...question, model: 'other' }));
    expect(fault).toMatchObject({
      kind: 'stop',
      httpStatus: 404,
      message: expect.stringMatching(/other.*`model`.*`baseUrl`/),
    });
  });

  test('a 400 names the spec field that leaves the parameter unsent, also if only its words name it', async () => {
    const hot = { ...question, parameters: { temperature: 5 } };
    const fault = await faultOf(ask(await simulator({}), {}, hot));
    expect(fault).toMatchObject({
      ...{ kind: 'stop', httpStatus: 400, specField: { of: 'model', path: ['parameters', 'temperature'] } },
      message: expect.stringContaining('`parameters.temperature: null`'),
    });
    // OpenAI's own words for its reasoning models.
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const named = await scripted(json(400, { error: { message, param: 'max_tokens', code: 'unsupported_parameter' } }));
    expect((await faultOf(ask(named.url))).message).toMatch(
      /`parameters\.maxTokens: null`.*`parameters\.maxCompletionTokens`/,
    );
    const worded = await scripted(json(400, { error: { message: 'top_p must be in (0, 1], got 0.0.' } }));
    expect((await faultOf(ask(worded.url))).message).toContain('`parameters.topP: null`');
  });

  test.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'maxTokens',
    ],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'topP'],
    ["Unsupported value: 'temperature' does not support 0 with this model.", 'temperature'],
    ['max_completion_tokens is too large', 'maxCompletionTokens'],
    ["Unrecognized request argument supplied: 'reasoning_effort'", 'reasoningEffort'],
  ])('words that endpoints are known to use, without naming the parameter apart: %s', async (message, field) => {
    const { url } = await scripted(json(400, { error: { message } }));
    expect((await faultOf(ask(url))).specField).toEqual({ of: 'model', path: ['parameters', field] });
  });

  test('a 400 that names no parameter of ours points at the model', async () => {
    const { url } = await scripted(json(400, { error: { message: 'The request cannot be understood' } }));
    expect((await faultOf(ask(url))).specField).toEqual({ of: 'model', path: [] });
  });

  test.each([
    [401, { of: 'provider', path: ['apiKeyEnv'] }],
    [403, { of: 'provider', path: ['apiKeyEnv'] }],
    [404, { of: 'model', path: ['model'] }],
    [402, null],
  ])('%i points at %j of the spec', async (status, specField) => {
    const { url } = await scripted(json(status, { error: { message: 'no' } }));
    expect((await faultOf(ask(url))).specField).toEqual(specField);
  });

  test.each([402, 403, 422])('status %i', async (status) => {
    const { url } = await scripted(json(status, { error: { message: 'no' } }));
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'stop', httpStatus: status, maybeBilled: false });
  });

  // Red before: charged at its estimate, and counted as lost.
  test('TLS that a server does not speak is nothing sent', async () => {
    const { url, received } = await scripted(json(200, completion({ message: { content: 'hi' } })));
    expect(await faultOf(ask(url.replace('http:', 'https:')))).toMatchObject({
      ...{ kind: 'retry', maybeBilled: false, unsent: expect.stringContaining('ERR_SSL_') },
    });
    expect(received).toHaveLength(0);
    expect(tlsRefusal('DEPTH_ZERO_SELF_SIGNED_CERT')).toContain('NODE_EXTRA_CA_CERTS');
    expect(tlsRefusal('ECONNRESET')).toBeNull();
  });

  test('a redirect, with the address that it names', async () => {
    const { url } = await scripted((response) => response.writeHead(307, { location: 'https://a.b/v1?k=1' }).end());
    expect(await faultOf(ask(url))).toMatchObject({
      ...{ kind: 'stop', httpStatus: 307, specField: { of: 'provider', path: ['baseUrl'] } },
      message: expect.stringMatching(
        /redirects to https:\/\/a\.b\/v1, and keys are not sent to redirects: give .*baseUrl/,
      ),
    });
  });

  test('a used-up quota, which waiting does not fix', async () => {
    const { url } = await scripted(
      json(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }),
    );
    expect(await faultOf(ask(url))).toMatchObject({ kind: 'stop', httpStatus: 429 });
  });
});

describe('what is sent and read', () => {
  test('exactly the parameters of the request, in the endpoint’s names', async () => {
    const { url, received } = await scripted(json(200, completion({ message: { content: 'hi' } })));
    const all = { temperature: 0.2, topP: 1, maxTokens: 9, maxCompletionTokens: 8, seed: 7, logprobs: true };
    await ask(url, {}, { ...question, parameters: all });
    await ask(url, {}, { ...question, parameters: {} });
    const { model, messages } = question;
    expect(received[0]?.body).toEqual({
      model,
      messages,
      ...{ temperature: 0.2, top_p: 1, max_tokens: 9, max_completion_tokens: 8, seed: 7, logprobs: true },
    });
    expect(received[1]?.body).toEqual({ model, messages });
  });

  test('the parameters of reasoning and of local servers, and what extraBody adds', async () => {
    const { url, received } = await scripted(json(200, completion({ message: { content: 'hi' } })));
    const parameters = {
      ...({ reasoningEffort: 'high', verbosity: 'low', serviceTier: 'flex' } as const),
      ...{ topK: 20, minP: 0.1, presencePenalty: 1, frequencyPenalty: -1, repetitionPenalty: 1.1 },
      ...{ stop: ['END'], logitBias: { '50256': -100 }, chatTemplateKwargs: { enable_thinking: false } },
      extraBody: { provider: { only: ['x'], allow_fallbacks: false }, thinking: { type: 'disabled' } },
    };
    await ask(url, {}, { ...question, parameters });
    const { model, messages } = question;
    expect(received[0]?.body).toEqual({
      ...{ model, messages, reasoning_effort: 'high', verbosity: 'low', service_tier: 'flex', top_k: 20, min_p: 0.1 },
      ...{ presence_penalty: 1, frequency_penalty: -1, repetition_penalty: 1.1, stop: ['END'] },
      ...{ logit_bias: { '50256': -100 }, chat_template_kwargs: { enable_thinking: false } },
      ...{ provider: { only: ['x'], allow_fallbacks: false }, thinking: { type: 'disabled' } },
    });
  });

  test('the key and the extra headers, and no Authorization without a key', async () => {
    const { url, received } = await scripted(json(200, completion({ message: { content: 'hi' } })));
    await ask(url, { headers: { 'x-team': 'nine' } });
    await ask(url, { apiKey: null });
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer sk-secret-1', 'x-team': 'nine' });
    expect(received[1]?.headers).not.toHaveProperty('authorization');
  });

  test('text, model, fingerprint, usage with cached and reasoning tokens, and log-probabilities', async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    const choice = { message: { content: 'hi' }, logprobs: { content: [{ token: 'hi', logprob: -0.5 }] } };
    const { url } = await scripted(json(200, completion(choice, { system_fingerprint: 'fp_1', usage })));
    expect(await ask(url)).toEqual({
      text: 'hi',
      finishReason: 'stop',
      returnedModel: 'm-2024',
      fingerprint: 'fp_1',
      inputTokens: 10,
      cachedTokens: 8,
      outputTokens: 5,
      reasoningTokens: 3,
      logprobs: [-0.5],
    });
  });

  test('names of a megabyte are cut', async () => {
    const long = 'n'.repeat(1e6);
    const body = completion({ message: { content: 'hi' } }, { model: long, system_fingerprint: long, provider: long });
    const { url } = await scripted(json(200, body));
    const cut = `${'n'.repeat(200)}...`;
    expect(await ask(url)).toMatchObject({ returnedModel: cut, fingerprint: cut, backend: cut });
  });

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.', reasoning_content: null }],
  ])('thoughts in %s are kept apart from the text', async (_name, thoughts) => {
    const { url } = await scripted(json(200, completion({ message: { content: 'hi', ...thoughts } })));
    expect(await ask(url)).toMatchObject({ text: 'hi', reasoning: 'Hm.' });
  });

  test('thoughts that are no text are no thoughts', async () => {
    const { url } = await scripted(json(200, completion({ message: { content: 'hi', reasoning: { steps: [] } } })));
    expect(await ask(url)).not.toHaveProperty('reasoning');
  });

  test('missing fields are null, and a missing text is empty', async () => {
    const { url } = await scripted(json(200, { choices: [{ message: { content: null } }] }));
    expect(await ask(url)).toMatchObject({
      text: '',
      finishReason: 'other',
      returnedModel: null,
      inputTokens: null,
      logprobs: null,
    });
  });

  test.each([
    ['length', {}, 'length'],
    ['content_filter', {}, 'content_filter'],
    ['tool_calls', {}, 'other'],
    ['stop', { refusal: 'I cannot' }, 'refusal'],
  ])('finish reason %s with %j is %s', async (finish_reason, message, expected) => {
    const { url } = await scripted(json(200, completion({ finish_reason, message: { content: null, ...message } })));
    expect((await ask(url)).finishReason).toBe(expected);
  });

  test.each(['content_filter', 'content_policy_violation', 'invalid_prompt'])(
    'a 400 by which a filter refuses the prompt (%s) is an empty, filtered answer',
    async (code) => {
      const { url } = await scripted(json(400, { error: { message: 'The prompt was filtered', code } }));
      expect(await ask(url)).toMatchObject({ text: '', finishReason: 'content_filter' });
    },
  );
});

describe('an answer with text and odd figures is an answer: asking again would be paid again', () => {
  const said = { message: { content: 'hi' } };
  const raw = (text: string) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

  test.each([
    ['negative', { prompt_tokens: -10, completion_tokens: -5 }],
    ['words', { prompt_tokens: '10', completion_tokens: '5' }],
    ['fractions', { prompt_tokens: 1.5, completion_tokens: 0.5 }],
    ['beyond all counting', { prompt_tokens: 1e300, completion_tokens: 1e300 }],
    ['no object', 'unknown'],
    ['null', null],
  ])('usage: %s', async (_what, usage) => {
    const { url } = await scripted(json(200, completion(said, { usage })));
    expect(await ask(url)).toMatchObject({ text: 'hi', inputTokens: null, outputTokens: null });
  });

  test.each([
    ['words', { content: [{ logprob: '-0.1' }] }],
    ['a chance above 1', { content: [{ logprob: -0.1 }, { logprob: 0.5 }] }],
    ['an empty list', { content: [] }],
    ['the form of old completions', { tokens: ['hi'], token_logprobs: [-0.1] }],
    ['a list', [-0.1]],
  ])('log-probabilities: %s', async (_what, logprobs) => {
    const { url } = await scripted(json(200, completion({ ...said, logprobs })));
    expect(await ask(url)).toMatchObject({ text: 'hi', logprobs: null });
  });

  // Red before: without a reason, as if none had come.
  test('log-probabilities of which an entry is not a map are rejected', async () => {
    const { url } = await scripted(json(200, completion({ ...said, logprobs: { content: [{ logprob: -1 }, 'x'] } })));
    expect((await ask(url)).logprobFault).toMatch(/got something that is not a number$/);
  });

  test('a log-probability that was rounded above 0 is 0', async () => {
    const { url } = await scripted(
      json(200, completion({ ...said, logprobs: { content: [{ logprob: 1e-7 }, { logprob: -2 }] } })),
    );
    expect((await ask(url)).logprobs).toEqual([0, -2]);
  });

  test('-Infinity and NaN as Python writes them: log-probabilities are missing, words in quotes stay', async () => {
    const body =
      '{"choices":[{"message":{"content":"\\"NaN\\" and ' +
      '-Infinity"},"logprobs":{"content":[{"logprob":-Infinity}]}}],"usage":{"prompt_tokens":NaN}}';
    const { url } = await scripted(raw(body));
    expect(await ask(url)).toMatchObject({ text: '"NaN" and -Infinity', logprobs: null, inputTokens: null });
  });

  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  const delta = (content: string | null, finish_reason: string | null = null, index = 0) => ({
    ...{ id: 'x', object: 'chat.completion.chunk', model: 'm-1', system_fingerprint: null },
    choices: [{ index, delta: { role: 'assistant', content }, logprobs: null, finish_reason }],
  });
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

  // As unsloth and 9router answer whatever `stream` says.
  test.each([
    [
      'pieces',
      `: ping\n\n${event(delta('de'))}${event(delta('f f'))}${event(delta(null, 'stop'))}` +
        `${event({ choices: [], usage })}data: [DONE]\n\n`,
    ],
    ['pieces without an end mark', event(delta('def f')) + event({ ...delta('', 'stop'), usage })],
    ['one event', `${event(completion({ message: { content: 'def f' } }, { model: 'm-1', usage }))}data: [DONE]\n`],
    [
      'a whole body with an end mark',
      `${JSON.stringify(completion({ message: { content: 'def f' } }, { model: 'm-1', usage }))}\n\ndata: [DONE]\n\n`,
    ],
  ])('server-sent events that nobody asked for: %s', async (_name, body) => {
    const { url } = await scripted(raw(body));
    expect(await ask(url)).toMatchObject({
      text: 'def f',
      finishReason: 'stop',
      returnedModel: 'm-1',
      inputTokens: 7,
      outputTokens: 3,
    });
  });

  test('server-sent events that stop in the middle are no answer', async () => {
    const { url } = await scripted(raw(event(delta('def'))));
    expect(await faultOf(ask(url))).toMatchObject({
      kind: 'retry',
      maybeBilled: true,
      message: expect.stringContaining('not complete JSON'),
    });
  });

  test('content in parts is the text of those that are text', async () => {
    const content = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const { url } = await scripted(json(200, completion({ message: { content } })));
    expect((await ask(url)).text).toBe('ab');
  });
});

describe('the id of a request', () => {
  const body = (more: object = {}) => completion({ message: { content: 'x' } }, more);

  test.each([
    ['the header x-request-id', body({ id: 'chatcmpl-1' }), { 'x-request-id': 'req_9' }, 'req_9'],
    ['else the completion’s id', body({ id: 'chatcmpl-1' }), {}, 'chatcmpl-1'],
    ['nothing without both', body(), {}, undefined],
    ['nothing for an id that is no text', body({ id: 7 }), {}, undefined],
    ['nothing for an endless id', body({ id: 'x'.repeat(201) }), {}, undefined],
  ])('is %s', async (_, answer, headers, id) => {
    const { url } = await scripted(json(200, answer, headers));
    expect((await ask(url)).requestId).toBe(id);
  });

  test('never holds the key', async () => {
    const { url } = await scripted(json(200, body(), { 'x-request-id': 'for-sk-secret-1' }));
    expect((await ask(url)).requestId).toBe('for-[secret]');
  });
});

describe('a key that the endpoint echoes', () => {
  const apiKey = 'sk-0123456789abcdef';
  const echo = (text: string) => completion({ message: { content: text } }, { system_fingerprint: `fp ${apiKey}` });

  test('is in no answer', async () => {
    const { url } = await scripted(json(200, echo(`Bearer ${apiKey}!`)));
    const reply = await ask(url, { apiKey });
    expect(reply).toMatchObject({ text: 'Bearer [secret]!', fingerprint: 'fp [secret]' });
  });

  test('is in no streamed answer either, in pieces', async () => {
    const pieces = [apiKey.slice(0, 7), apiKey.slice(7)].map((content) => ({ choices: [{ delta: { content } }] }));
    const end = { choices: [{ delta: {}, finish_reason: 'stop' }] };
    const events = [...pieces, end].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const { url } = await scripted((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`),
    );
    expect((await ask(url, { apiKey, stream: true })).text).toBe('[secret]');
  });

  // Red before: only headers with a name like that of a key were looked for, and only as they are written.
  test.each([
    ['x-team', 'a team of thirty-three people', 'a team of thirty-three people'],
    ['cookie', 'session="0123456789abcdef"', 'session="0123456789abcdef"'],
    ['x-pass', 'open/sesame+0123456789', encodeURIComponent('open/sesame+0123456789')],
    ['x-scheme', 'Basic 0123456789abcdef01', '0123456789abcdef01'],
  ])('header %s of headersEnv is in no answer and no message', async (name, value, echoed) => {
    const answered = await scripted(json(200, echo(`<${echoed}>`)));
    expect((await ask(answered.url, { headers: { [name]: value } })).text).toBe('<[secret]>');
    const refused = await scripted(json(400, { detail: `unknown: ${echoed}` }));
    await expect(ask(refused.url, { headers: { [name]: value } })).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(echoed) }),
    );
  });

  test('headers that say who asks, and keys that may be words, stay in answers', async () => {
    const { url } = await scripted(json(200, echo('an EMPTY list of https://example.com/page')));
    const headers = { 'http-referer': 'https://example.com/page' };
    expect((await ask(url, { apiKey: 'EMPTY', headers })).text).toBe('an EMPTY list of https://example.com/page');
  });

  // Red without `mayBeName`: the program would be another.
  test.each(['not_needed_at_all', 'NOT_NEEDED_AT_ALL'])('%s, a name in a program, stays in it', async (name) => {
    const { url } = await scripted(json(200, echo(`${name} = 1`)));
    expect((await ask(url, { apiKey: name })).text).toBe(`${name} = 1`);
  });

  test.each([
    'sk_live_abcdefghij1',
    'Not_Needed_At_All',
    'correct_horse_battery',
    'abcdefghijklmnop',
    'a-key-made-of-words',
  ])('%s may be a key, and is replaced', async (key) => {
    const { url } = await scripted(json(200, echo(`${key} = 1`)));
    expect((await ask(url, { apiKey: key })).text).toBe('[secret] = 1');
  });
});
