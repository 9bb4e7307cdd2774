/** The recorder before an endpoint of the test's own, asked by the `openai` client and by `fetch`. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import { canonicalJson, sha256 } from '../../../domain/ids.ts';
import { openRecordingFile } from '../../../activities/recording/recording-file.ts';
import { startRecorder } from '../../../activities/recording/recorder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;
const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

async function endpoint(answer: Answer): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString('utf8'), response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<unknown> => {
    server.closeAllConnections();
    server.close();
    return server.listening ? once(server, 'close') : null;
  };
  running.push(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, close };
}

async function recording(to: string) {
  const path = join(temporaryFolder(), 'replies.jsonl');
  const file = await openRecordingFile(path);
  const passed: string[] = [];
  const recorder = await startRecorder({ to, port: 0, file, onPassed: (reason) => passed.push(reason) });
  running.push(file.close, recorder.close);
  const lines = (): object[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as object)));
  return { recorder, passed, lines, text: () => readFileSync(path, 'utf8') };
}

const body = { model: 'm', messages: [{ role: 'user' as const, content: 'q' }], temperature: 0.5, seed: 3 };
/** What evenkeel hashes for this body, written by hand. */
const asked = (model = 'm') =>
  sha256(
    canonicalJson({ model, messages: [{ role: 'user', content: 'q' }], parameters: { temperature: 0.5, seed: 3 } }),
  );
const completion = (text: string) => ({
  ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm-1' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } }],
  usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
});
const send = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const post = (url: string, value: object = body, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret-1' },
    body: JSON.stringify(value),
    ...(signal !== undefined && { signal }),
  });

test('requests come with path, key and body, answers go back, and only the reply is stored', async () => {
  const { url } = await endpoint(({ headers, url: path = '' }, sent, response) => {
    if (path !== '/api/v1/chat/completions?v=2') return send(response, 404, {});
    return send(response, 200, completion(`${headers.authorization} ${sent}`.replace('sk-secret-1', 'the key')));
  });
  const { recorder, lines, text } = await recording(url);
  expect(new URL(recorder.url).pathname).toBe('/api/v1');
  const options = { baseURL: recorder.url, apiKey: 'sk-secret-1', defaultQuery: { v: '2' } };
  const answer = await new OpenAI(options).chat.completions.create(body);
  const content = `Bearer the key ${JSON.stringify(body)}`;
  expect(answer.choices[0]?.message.content).toBe(content);
  expect(lines()).toEqual([
    {
      ...{ request_sha256: asked(), reply: content, finish_reason: 'stop', model: 'm-1' },
      ...{ input_tokens: 2, output_tokens: 4 },
    },
  ]);
  expect(text()).not.toContain('sk-secret-1');
});

test('events are passed on as they come, and the last one when the reply is on disk', async () => {
  const held = Promise.withResolvers<void>();
  const event = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ model: 'm-1', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const { url } = await endpoint((_request, _sent, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event({ content: 'data: [DONE]\n' }));
    void held.promise.then(() => response.end(`${event({ content: ' b' }, 'stop')}data: [DONE]\n\n`));
  });
  const { recorder, lines } = await recording(url);
  const reader = (await post(recorder.url, { ...body, stream: true, stream_options: { include_usage: true } })).body
    ?.pipeThrough(new TextDecoderStream())
    .getReader();
  expect((await reader?.read())?.value).toBe(event({ content: 'data: [DONE]\n' }));
  expect(lines()).toEqual([]);
  expect(recorder.inFlight()).toBe(1);
  held.resolve();
  let rest = '';
  while (!rest.includes('data: [DONE]\n\n')) rest += (await reader?.read())?.value ?? '';
  expect(lines()).toMatchObject([{ request_sha256: asked(), reply: 'data: [DONE]\n b', finish_reason: 'stop' }]);
});

// Red before: "cannot be reached", of an endpoint that had read the request.
test.each([
  ['closes' as const, 'UND_ERR_SOCKET'],
  ['resets' as const, 'ECONNRESET'],
])('an endpoint that %s the connection without an answer was reached', async (how, code) => {
  const read: string[] = [];
  const { url } = await endpoint(({ socket }, sent) => {
    read.push(sent);
    if (how === 'closes') socket.end();
    else socket.resetAndDestroy();
  });
  const { recorder, passed, lines } = await recording(url);
  const answer = await post(recorder.url);
  expect([answer.status, read]).toEqual([502, [JSON.stringify(body)]]);
  const { host } = new URL(url);
  const message =
    `the connection to ${host} was closed before an answer (${code}); look at the server's log, or correct the ` +
    'address';
  expect(await answer.json()).toMatchObject({ error: { message } });
  expect([passed, lines()]).toEqual([[message], []]);
});

const responseOf = (text: string) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm-1', error: null, incomplete_details: null },
  output: [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
  ],
  usage: { input_tokens: 2, output_tokens: 40, output_tokens_details: { reasoning_tokens: 36 } },
});
const responseBodySent = {
  ...{ model: 'm', input: [{ role: 'user' as const, content: 'q' }], store: false, max_output_tokens: 99 },
  reasoning: { effort: 'high' as const, summary: 'auto' as const },
};
/** What evenkeel hashes for it, written by hand. */
const askedOverResponses = sha256(
  canonicalJson({
    ...{ model: 'm', messages: [{ role: 'user', content: 'q' }] },
    parameters: { maxTokens: 99, reasoningEffort: 'high', extraBody: { reasoning: { summary: 'auto' } } },
  }),
);
const lineOverResponses = {
  ...{ request_sha256: askedOverResponses, reply: 'four', finish_reason: 'stop', model: 'm-1', reasoning: 'hm' },
  ...{ input_tokens: 2, output_tokens: 40, reasoning_tokens: 36 },
};

test('answers of the Responses API are recorded as a study reads them', async () => {
  const { url } = await endpoint((_request, _sent, response) => send(response, 200, responseOf('four')));
  const { recorder, lines } = await recording(url);
  const answer = await new OpenAI({ baseURL: recorder.url, apiKey: 'k' }).responses.create(responseBodySent);
  expect(answer.output_text).toBe('four');
  expect(lines()).toEqual([lineOverResponses]);
});

// Red when only chat completions' end mark is known: then the last event is passed on before the reply is on disk.
test('events of the Responses API are passed on as they come, and the last one when the reply is on disk', async () => {
  const held = Promise.withResolvers<void>();
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const last = event('response.completed', { response: responseOf('four') });
  const { url } = await endpoint((_request, _sent, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('response.output_text.delta', { delta: 'event: response.completed' }));
    void held.promise.then(() => response.end(last));
  });
  const { recorder, lines } = await recording(url);
  const answer = await fetch(`${recorder.url}/responses`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...responseBodySent, stream: true }),
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('response.output_text.delta');
  expect(lines()).toEqual([]);
  held.resolve();
  let rest = '';
  while (!rest.includes(last)) rest += (await reader?.read())?.value ?? '';
  expect(lines()).toEqual([lineOverResponses]);
});

test.each(['/chat/completions', '/responses'])('a stream of %s that breaks off is not recorded', async (route) => {
  const { url } = await endpoint((_request, _sent, response) => {
    const piece = { model: 'm', choices: [{ index: 0, delta: { content: 'half' }, finish_reason: null }] };
    const delta = { type: 'response.output_text.delta', delta: 'half' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(route === '/responses' ? delta : piece)}\n\n`);
  });
  const { recorder, lines, passed } = await recording(url);
  const sent = route === '/responses' ? responseBodySent : body;
  const answer = await fetch(`${recorder.url}${route}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...sent, stream: true }),
  });
  expect(await answer.text()).toContain('half');
  expect(lines()).toEqual([]);
  expect(passed).toHaveLength(1);
});

test('the reply to a caller that left is recorded: it is paid for', async () => {
  const left = Promise.withResolvers<void>();
  const { url } = await endpoint(
    (_request, _sent, response) => void left.promise.then(() => send(response, 200, completion('late'))),
  );
  const { recorder, lines } = await recording(url);
  const caller = new AbortController();
  const answer = post(recorder.url, body, caller.signal);
  await expect.poll(() => recorder.inFlight()).toBe(1);
  caller.abort();
  await expect(answer).rejects.toThrow(/abort/);
  left.resolve();
  await expect.poll(lines).toMatchObject([{ reply: 'late' }]);
});

test('concurrent requests get their own answers, each recorded once', async () => {
  const { url } = await endpoint((_request, sent, response) => {
    const { model } = JSON.parse(sent) as { model: string };
    setTimeout(() => send(response, 200, completion(`to ${model}`)), 20 - (Number(model) % 20));
  });
  const { recorder, lines } = await recording(url);
  const models = Array.from({ length: 40 }, (_, index) => String(index));
  const contentFor = async (model: string): Promise<unknown> =>
    (JSON.parse(await (await post(recorder.url, { ...body, model })).text()) as ReturnType<typeof completion>)
      .choices[0]?.message.content;
  expect(await Promise.all(models.map(contentFor))).toEqual(models.map((model) => `to ${model}`));
  const expected = models.map((model) => `${asked(model)} to ${model}`).toSorted();
  const found = (lines() as { request_sha256: string; reply: string }[])
    .map((line) => `${line.request_sha256} ${line.reply}`)
    .toSorted();
  expect(found).toEqual(expected);
});

const failure = (code: string) => ({ error: { message: 'no', code, type: 'x', param: null } });
test.each([
  ['a 429', 429, failure('rate_limit_exceeded'), 'HTTP 429', []],
  ['a 500', 500, failure('x'), 'HTTP 500', []],
  ['a 401', 401, failure('invalid_api_key'), 'HTTP 401', []],
  ['an error in a 200', 200, { error: { message: 'upstream', code: 502 } }, 'an answer that is no chat completion', []],
  ['an answer without choices', 200, { choices: [] }, 'an answer that is no chat completion', []],
  ['a filtered prompt', 400, failure('content_filter'), null, [{ reply: '', finish_reason: 'content_filter' }]],
  ['a long prompt', 400, failure('context_length_exceeded'), null, [{ reply: '', finish_reason: 'prompt_too_long' }]],
] as const)(
  '%s is passed on; recorded is what a study keeps as a reply',
  async (_what, status, value, why, recorded) => {
    const { url } = await endpoint((_request, _sent, response) => {
      response.setHeader('retry-after', '7');
      send(response, status, value);
    });
    const { recorder, passed, lines } = await recording(url);
    const answer = await post(recorder.url);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([status, '7', value]);
    expect(lines()).toMatchObject(recorded);
    expect(passed).toEqual(why === null ? [] : [why]);
  },
);

test('other requests, and questions that no study asks, are passed on and not recorded', async () => {
  const { url } = await endpoint(({ method }, _sent, response) => send(response, 200, completion(method ?? '')));
  const { recorder, passed, lines } = await recording(url);
  expect(await (await fetch(`${recorder.url}/models`)).json()).toMatchObject({ model: 'm-1' });
  await post(recorder.url, { ...body, messages: [{ role: 'user', content: [{ type: 'image_url' }] }] });
  expect(lines()).toEqual([]);
  expect(passed).toEqual(['a request that no study sends']);
});

test('several answers to one request are samples, and packed answers are passed on packed', async () => {
  const { url } = await endpoint((_request, _sent, response) => {
    const { choices, ...rest } = completion('one');
    const two = { ...rest, choices: [...choices, ...completion('two').choices] };
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(two)));
  });
  const { recorder, lines } = await recording(url);
  expect(await (await post(recorder.url, { ...body, n: 2 })).json()).toMatchObject({ choices: [{}, {}] });
  expect(lines()).toMatchObject([
    { request_sha256: asked(), reply: 'one', output_tokens: 4 },
    { request_sha256: asked(), sample: 1, reply: 'two', output_tokens: null },
  ]);
});

test('an endpoint that is gone, or breaks off, is a 502 with the reason in words', async () => {
  const { url, close } = await endpoint((_request, _sent, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{', () => response.destroy());
  });
  const { recorder, passed, lines } = await recording(url);
  const broken = await post(recorder.url);
  expect([broken.status, await broken.json()]).toMatchObject([
    502,
    { error: { message: expect.stringMatching(/broke the connection off/) } },
  ]);
  await close();
  const gone = await post(recorder.url);
  expect([gone.status, await gone.json()]).toMatchObject([
    502,
    { error: { message: expect.stringMatching(/nothing listens at 127/) } },
  ]);
  expect(passed).toHaveLength(2);
  expect(lines()).toEqual([]);
});

// Red without `withoutKeys` in recordable.ts, and the second without `cleanReply` there.
test.each([
  ['in an answer', false],
  ['in a stream, in pieces', true],
])('a key that the endpoint echoes %s is not in the recording', async (_where, stream) => {
  const key = 'sk-0123456789abcdef';
  const event = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ model: `m for ${key}`, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const { url } = await endpoint((_request, _sent, response) => {
    if (!stream) return send(response, 200, { ...completion(`Bearer ${key}!`), model: `m for ${key}` });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ content: `Bearer ${key.slice(0, 7)}` }));
    response.end(`${event({ content: `${key.slice(7)}!` }, 'stop')}data: [DONE]\n\n`);
  });
  const { recorder, lines, text } = await recording(url);
  const answer = await fetch(`${recorder.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...body, stream }),
  });
  expect(await answer.text()).toContain(key.slice(7));
  expect(lines()).toMatchObject([{ request_sha256: asked(), reply: 'Bearer [secret]!', model: 'm for [secret]' }]);
  expect(text()).not.toContain(key);
});
