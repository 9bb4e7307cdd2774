/** Forms that the standard of server-sent events allows, and such as endpoints send. */
import { expect, test } from 'vitest';
import { bodyOfEvents } from '../../../../activities/providers/openai-events.ts';

const piece = (content: string, finish_reason: string | null = null) => ({
  id: 'c1',
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const pieces = [piece('def f():\n'), piece('    return 1\n', 'stop')];
const lines = pieces.map((one) => `data: ${JSON.stringify(one)}`);
const pretty = pieces.map((one) =>
  JSON.stringify(one, null, 1)
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n'),
);
const end = 'data: [DONE]';

// Red before for the last three: "the answer is not complete JSON (a stream of events that ended early)".
test.each([
  ['an empty line after each event', [...lines, end].join('\n\n')],
  ['no empty lines', [...lines, end].join('\n')],
  ['CR and LF', [...lines, end].join('\r\n\r\n')],
  ['CR alone', [...lines, end].join('\r\r')],
  ['several lines of data in an event', [...pretty, end].join('\n\n')],
  ['several lines, CR alone, comments', [': hello', ...pretty, end].join('\n\n').replaceAll('\n', '\r')],
])('%s', (_name, text) => {
  expect(bodyOfEvents(text)).toMatchObject({
    id: 'c1',
    choices: [{ finish_reason: 'stop', message: { content: 'def f():\n    return 1\n' } }],
  });
});

test('a stream that ends within an event is not whole', () => {
  expect(bodyOfEvents(pretty.join('\n\n').slice(0, -30))).toBeNull();
});
