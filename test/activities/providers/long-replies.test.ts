/** Answers that are too long, packed, or not to be had for this prompt. */
import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function endpoint(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => answer(response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
}

const ask = (baseUrl: string, maxReplyBytes?: number) =>
  onlyOf(
    createOpenAiProvider({
      baseUrl,
      apiKey: null,
      timeoutMs: 20_000,
      ...(maxReplyBytes !== undefined && { maxReplyBytes }),
    }).ask(question, coordinates, unhurried),
  );
const fault = async (asked: Promise<unknown>): Promise<ProviderFault> => {
  const outcome = await asked.catch((error: unknown) => error);
  if (outcome instanceof ProviderFault) return outcome;
  throw new Error(`no ProviderFault: ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`);
};
const body = (content: string) => JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content } }] });

test('an endless answer is aborted after maxReplyBytes, and takes no more memory than that', async () => {
  let sent = 0;
  const url = await endpoint((response) => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const send = (): void => {
      if (response.destroyed || sent >= 200) return;
      sent += 1;
      response.write(piece, () => setImmediate(send));
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    send();
  });
  const before = process.memoryUsage().rss;
  expect(await fault(ask(url))).toMatchObject({
    kind: 'too long',
    maybeBilled: true,
    message: expect.stringContaining('8388608 bytes'),
  });
  expect(sent).toBeLessThan(40);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test('an answer with a too large content-length is refused before it is read', async () => {
  const url = await endpoint((response) => {
    response.writeHead(200, { 'content-length': String(50 * 1024 * 1024) }).flushHeaders();
  });
  const startMs = performance.now();
  expect((await fault(ask(url))).kind).toBe('too long');
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  // As many servers send it.
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const)(
  'an answer that is packed as %s, which nobody asked for, is unpacked, up to the longest that is taken',
  async (encoding, pack) => {
    const packed = (content: string) =>
      endpoint((response) => response.writeHead(200, { 'content-encoding': encoding }).end(pack(body(content))));
    expect((await ask(await packed('kept'))).text).toBe('kept');
    expect((await fault(ask(await packed('x'.repeat(100_000)), 50_000))).kind).toBe('too long');
  },
);

// Red before: it stopped its model, as an endpoint that never answers readably.
test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('an answer whose %s data ends early is asked for again', async (encoding, pack) => {
  const whole = pack(body('x'.repeat(1_000)));
  const url = await endpoint((response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(whole.subarray(0, -6)),
  );
  expect(await fault(ask(url))).toMatchObject({ kind: 'retry', maybeBilled: true });
});

// Red before: one damaged answer stopped its model.
test.each([
  ['with junk behind it', (whole: Buffer) => Buffer.concat([whole, Buffer.from('junk')])],
  ['with a byte changed', (whole: Buffer) => whole.map((byte, place) => (place === 30 ? byte ^ 255 : byte))],
] as const)('an answer packed as gzip %s is asked for again', async (_how, spoil) => {
  const packed = spoil(gzipSync(body('x'.repeat(1_000))));
  const url = await endpoint((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
  const found = await fault(ask(url));
  expect(found).toMatchObject({ kind: 'retry', maybeBilled: true });
  expect(found.message).toContain('damaged gzip data');
});

test.each([
  ['is packed in an unknown way', { 'content-encoding': 'zpaq' }, 'compressed as "zpaq"'],
  // Red before: "compressed as constructor, but it is not".
  ['says constructor', { 'content-encoding': 'constructor' }, 'compressed as "constructor", which was not requested'],
  ['is packed and does not say so', {}, 'headers do not say so'],
  ['is not what it says', { 'content-encoding': 'br' }, 'but it is not'],
])('an answer that %s stops its model at the first, and says why', async (_, headers, why) => {
  const url = await endpoint((response) => response.writeHead(200, headers).end(gzipSync(body('x'))));
  const { kind, message, specField } = await fault(ask(url));
  expect({ kind, specField }).toEqual({ kind: 'stop', specField: { of: 'provider', path: ['baseUrl'] } });
  expect(message).toContain(why);
});

test("an endpoint's error text is shortened, and cannot control the terminal", async () => {
  const message = `\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007 ${'long '.repeat(60_000)}`;
  const url = await endpoint((response) => response.writeHead(500).end(JSON.stringify({ error: { message } })));
  const told = (await fault(ask(url))).message;
  expect(told.length).toBeLessThan(2_100);
  expect(told).not.toMatch(/[^\P{Cc}\n]/u);
  expect(told).not.toContain('title');
  expect(told).toContain('red');
});

/** As their documentation, sources or users' reports word it. */
test.each([
  [
    400,
    {
      code: 'context_length_exceeded',
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 10402 tokens.",
    },
  ],
  [
    400,
    {
      message:
        "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens (2900 in the " +
        'messages, 100 in the completion).',
    },
  ],
  [400, { message: 'prompt is too long: 208310 tokens > 200000 maximum' }],
  [400, { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' }],
  [
    400,
    {
      message:
        'the request exceeds the available context size. try increasing the context size or enable context shift',
    },
  ],
  [413, { message: 'Request too large' }],
])('a %i about one prompt that is too long is an answer to that prompt: %j', async (status, error) => {
  const url = await endpoint((response) => response.writeHead(status).end(JSON.stringify({ error })));
  expect(await ask(url)).toMatchObject({ text: '', finishReason: 'prompt_too_long', inputTokens: 0, outputTokens: 0 });
});

test.each([
  {
    message: 'max_tokens is too large: 40000. This model supports at most 16384 completion tokens',
    param: 'max_tokens',
    code: 'invalid_value',
  },
  {
    message:
      "'max_tokens' is too large: 4096. This model's maximum context length is 2048 tokens and your request has " +
      '35 input tokens',
  },
  { message: 'The model `gpt-9` does not exist', code: 'model_not_found' },
  { message: "Unsupported value: 'temperature' does not support 0 with this model.", param: 'temperature' },
])('a 400 about the model or its parameters stops the model all the same: %j', async (error) => {
  const url = await endpoint((response) => response.writeHead(400).end(JSON.stringify({ error })));
  expect((await fault(ask(url))).kind).toBe('stop');
});
