/** A complete answer is paid for: what stands around its text must not make it unusable. */
import { expect, test } from 'vitest';
import { resultOf } from '../../../activities/providers/batches/openai-batch-body.ts';
import { openAiApis } from '../../../activities/providers/openai-apis.ts';
import { parsedBody } from '../../../activities/providers/openai-body.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import type { ApiName } from '../../../schemas/spec/account.ts';

interface Given {
  readonly api?: ApiName;
  readonly n?: number;
  readonly isStreamed?: boolean;
}

function repliesIn(body: unknown, { api = 'chat', n = 1, isStreamed = false }: Given = {}): readonly ChatReply[] {
  const read = openAiApis[api].read(body, { n, isStreamed, requestId: () => '' });
  return 'replies' in read ? read.replies : [];
}
const textsIn = (...given: Parameters<typeof repliesIn>) => repliesIn(...given).map(({ text }) => text);
const choice = (content: unknown = 'hi') => ({ finish_reason: 'stop', message: { content } });

test.each([
  ['finish_reason', { choices: [{ ...choice(), finish_reason: 0 }] }],
  ['finish_reason', { choices: [{ ...choice(), finish_reason: { type: 'stop' } }] }],
  ['message.refusal', { choices: [{ message: { content: 'hi', refusal: false } }] }],
  ['message.reasoning', { choices: [{ message: { content: 'hi', reasoning: [] } }] }],
  ['model', { model: 7, choices: [choice()] }],
  ['system_fingerprint', { system_fingerprint: {}, choices: [choice()] }],
  ['provider', { provider: ['a'], choices: [choice()] }],
  ['a part that is no text', { choices: [choice([{ type: 5 }, { type: 'text', text: 'hi' }])] }],
])('%s of a wrong type is as if absent', (_field, body) => {
  expect(repliesIn(body)).toMatchObject([{ text: 'hi' }]);
  expect(repliesIn(body)[0]?.finishReason).not.toBe('refusal');
});

test('an answer without a readable text is none', () => {
  expect(
    openAiApis.chat.read({ choices: [choice(5)] }, { n: 1, isStreamed: false, requestId: () => '' }),
  ).toMatchObject({ malformed: { issues: [{ path: ['choices', 0, 'message', 'content'] }] } });
  expect(textsIn({ choices: [choice([{ type: 'text', text: 5 }])] })).toEqual([]);
  expect(textsIn({ choices: [null] })).toEqual([]);
  expect(textsIn({ choices: [] })).toEqual([]);
});

test('good choices count although others cannot be read', () => {
  const choices = [choice('a'), null, choice('b'), { message: { content: 4 } }, choice('c')];
  expect(textsIn({ choices }, { n: 4 })).toEqual(['a', 'b', 'c']);
});

const stream = (...events: readonly object[]) =>
  parsedBody([...events.map((event) => `data: ${JSON.stringify(event)}`), 'data: [DONE]'].join('\n\n'));

test.each([
  ['model', { model: 7 }, {}, {}],
  ['system_fingerprint', { system_fingerprint: 7 }, {}, {}],
  ['index', {}, { index: null }, {}],
  ['logprobs', {}, { logprobs: 'none' }, {}],
  ['finish_reason', {}, { finish_reason: false }, {}],
  ['refusal', {}, {}, { refusal: false }],
  ['reasoning', {}, {}, { reasoning: {} }],
])('in a stream, %s of a wrong type loses no piece', (_field, inEvent, inChoice, inDelta) => {
  const piece = (content: string) => ({ ...inEvent, choices: [{ ...inChoice, delta: { content, ...inDelta } }] });
  const body = stream(piece('h'), piece('i'), { choices: [null, { delta: {}, finish_reason: 'stop' }] });
  expect(repliesIn(body, { isStreamed: true })).toMatchObject([{ text: 'hi', finishReason: 'stop' }]);
});

test('a stream that ends for a reason of a wrong type has ended', () => {
  const body = stream({ choices: [{ delta: { content: 'hi' } }] }, { choices: [{ delta: {}, finish_reason: 1 }] });
  expect(repliesIn(body, { isStreamed: true })).toMatchObject([{ text: 'hi', finishReason: 'other' }]);
});

interface OddResponse {
  readonly parts?: readonly unknown[];
  readonly output?: readonly unknown[];
  readonly [field: string]: unknown;
}

test.each<[string, OddResponse]>([
  ['model', { model: 7 }],
  ['status', { status: 7 }],
  ['an item', { output: [null, { type: 5 }] }],
  ['a part', { parts: [null, { type: 5 }] }],
])('in a response, %s of a wrong type is as if absent', (_field, { parts = [], output = [], ...more }) => {
  const item = { type: 'message', content: [...parts, { type: 'output_text', text: 'hi' }] };
  expect(textsIn({ ...more, output: [...output, item] }, { api: 'responses' })).toEqual(['hi']);
});

test('a response with nothing but unreadable items is none', () => {
  expect(textsIn({ output: [null] }, { api: 'responses' })).toEqual([]);
});

test.each([
  ['a status in words', { status_code: '200', request_id: 7 }, null],
  ['no status', {}, null],
  ['an error in words', { status_code: 200 }, 'none'],
  ['an error of numbers', { status_code: 200 }, { code: 0, message: 0 }],
])('a line of a batch with %s is an answer', (_what, more, error) => {
  const body = { choices: [choice()] };
  const line = { custom_id: 'a', response: { ...more, body }, error };
  expect(resultOf(JSON.stringify(line), () => undefined)).toMatchObject({ customId: 'a', kind: 'answered', body });
});

test('a line of a batch with a failure in words is a failure', () => {
  const response = { status_code: '429', body: { error: { message: 'slow down' } } };
  expect(resultOf(JSON.stringify({ custom_id: 'a', response }), () => undefined)).toMatchObject({
    kind: 'failed',
    reason: 'HTTP 429 in a batch: slow down',
  });
});
