/** A call that fails after something was generated is billed: by the usage that it reports, else at its most. */
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import type { ApiName } from '../../../schemas/spec/account.ts';
import { coordinates, question, unhurried } from './questions.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly api?: ApiName;
}

/** What a provider makes of this answer: replies, or a fault. */
async function outcomeOf({ status = 200, headers = {}, body, api = 'chat' }: Answer) {
  const server = createServer((_, response) => void response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const provider = createOpenAiProvider({ baseUrl, apiKey: null, timeoutMs: 5_000, stream: body[0] === 'd', api });
  stops.push(async () => {
    await provider.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return provider.ask(question, coordinates, unhurried).catch((error: unknown) => {
    if (error instanceof ProviderFault) return error;
    throw error;
  });
}

const stream = (...events: readonly object[]): string =>
  [...events.map((event) => `data: ${JSON.stringify(event)}`), 'data: [DONE]', ''].join('\n\n');
const piece = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, finish_reason: null }], ...more });
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const reported = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const usage = { choices: [], usage: reported };
const failure = (code: unknown) => ({ error: { message: 'late', code } });
const paid = { maybeBilled: true, usage: { inputTokens: 7, outputTokens: 5 } };
const atMost = { maybeBilled: true, usage: null };
const refusal = { maybeBilled: false, usage: null };

// Red when an error event replaces all that came before it.
test.each<[string, object, readonly object[]]>([
  ['a text', atMost, [piece({ content: 'a' }), failure(502)]],
  ['thoughts', atMost, [piece({ reasoning_content: 'a' }), failure(502)]],
  ['a tool', atMost, [piece({ tool_calls: [{ index: 0 }] }), failure(502)]],
  ['a text, with the code of another failure', atMost, [piece({ content: 'a' }), failure(429)]],
  ['a text, without a code', atMost, [piece({ content: 'a' }), failure(null)]],
  ['a text, without a message', atMost, [piece({ content: 'a' }), { error: { code: 502 } }]],
  ['an early usage and a text', atMost, [usage, piece({ content: 'a' }), failure(502)]],
  ['a usage of nothing and a text', atMost, [piece({ content: 'a' }), { usage: { prompt_tokens: 0 } }, failure(502)]],
  ['a whole answer and its usage', paid, [piece({ content: 'a' }), end, usage, failure(500)]],
  ['a usage and no code', paid, [piece({ content: 'a' }), end, usage, failure('bad')]],
  ['a usage alone', paid, [usage, failure(500)]],
  ['a usage in the same event', paid, [piece({ content: 'a' }), { ...piece({}), usage: reported, ...failure(502) }]],
  ['nothing', refusal, [failure(502)]],
  ['a role', refusal, [piece({ role: 'assistant', content: '' }), failure(502)]],
  ['a usage of 0 tokens', refusal, [{ usage: { prompt_tokens: 0, completion_tokens: 0 } }, failure(502)]],
])('a stream that fails after %s', async (_before, bill, events) => {
  expect(await outcomeOf({ body: stream(...events) })).toMatchObject({ kind: 'retry', ...bill });
});

test('an error event keeps its status and its Retry-After', async () => {
  const headers = { 'retry-after': '2' };
  const facts = { kind: 'retry', httpStatus: 429, retryAfterMs: 2000 };
  const first = await outcomeOf({ headers, body: stream(failure(429)) });
  expect(first).toMatchObject({ ...facts, ...refusal });
  const later = await outcomeOf({ headers, body: stream(piece({ content: 'a' }), failure(429)) });
  expect(later).toMatchObject({ ...facts, ...atMost });
});

test('a failure that stops the model is billed too', async () => {
  const body = stream(piece({ content: 'a' }), failure(403));
  expect(await outcomeOf({ body })).toMatchObject({ kind: 'stop', httpStatus: 403, ...atMost });
});

test.each([400, 403, 429, 500, 504])('HTTP %i with a usage is charged by it', async (status) => {
  const error = { message: 'late' };
  const body = (more: object): string => JSON.stringify({ error, ...more });
  const httpStatus = status;
  expect(await outcomeOf({ status, body: body({ usage: reported }) })).toMatchObject({ httpStatus, ...paid });
  expect(await outcomeOf({ status, body: body({}) })).toMatchObject({ httpStatus, ...refusal });
  const odd = { prompt_tokens: 'many', completion_tokens: 5 };
  expect(await outcomeOf({ status, body: body({ usage: odd }) })).toMatchObject({ httpStatus, ...refusal });
  const flat = JSON.stringify({ ...error, usage: reported });
  expect(await outcomeOf({ status, body: flat })).toMatchObject({ httpStatus, ...paid });
});

test('a failure with a usage behind a 200 is charged by it', async () => {
  const body = JSON.stringify({ ...failure(502), usage: reported });
  expect(await outcomeOf({ body })).toMatchObject({ httpStatus: 502, ...paid });
});

test('a prompt that a filter refuses costs what the endpoint says', async () => {
  const body = JSON.stringify({ error: { message: 'no', code: 'content_filter' }, usage: reported });
  expect(await outcomeOf({ status: 400, body })).toMatchObject([{ finishReason: 'content_filter', inputTokens: 7 }]);
});

const response = (status: string, more: object = {}) => ({ status, output: [], ...more });
const crowded = response('failed', { error: { code: 'rate_limit_exceeded', message: 'slow' } });
const counts = { input_tokens: 7, output_tokens: 5 };
const delta = { type: 'response.output_text.delta', delta: 'a' };
const created = { type: 'response.created', response: response('in_progress') };
const failed = (more: object = {}) => ({ type: 'response.failed', response: { ...crowded, ...more } });
const errorEvent = { type: 'error', code: '502', message: 'late' };

test.each<[string, object, readonly object[]]>([
  ['fails at first', refusal, [created, failed()]],
  ['fails after a text', atMost, [created, delta, failed()]],
  ['fails with a usage', paid, [created, delta, failed({ usage: counts })]],
  ['has an error at first', refusal, [created, errorEvent]],
  ['has an error after a text', atMost, [created, delta, errorEvent]],
])('a response in a stream that %s', async (_what, bill, events) => {
  const body = stream(...events);
  expect(await outcomeOf({ body, api: 'responses' })).toMatchObject({ kind: 'retry', ...bill });
});

test.each<[string, object, object]>([
  ['no output', refusal, {}],
  ['a part of its output', atMost, { output: [{ type: 'message', content: [] }] }],
  ['a usage', paid, { usage: counts }],
])('a response that fails for its rate with %s', async (_with, bill, more) => {
  const body = JSON.stringify({ ...crowded, ...more });
  expect(await outcomeOf({ body, api: 'responses' })).toMatchObject({ httpStatus: 429, ...bill });
});
