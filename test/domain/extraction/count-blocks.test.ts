import { expect, test } from 'vitest';
import { countBlocks } from '../../../domain/extraction/count-blocks.ts';

const add = { entryPoint: 'add', language: 'python', prompt: '' } as const;

test.each([
  ['no fence', 'def add(a, b): ...', 0, 0],
  ['one that defines it', '```python\ndef add(a, b): ...\n```', 1, 1],
  ['one that calls it', '```python\nprint(add(1, 2))\n```', 1, 0],
  ['two of three', '```\ndef add(a): ...\n```\n~~~\npip install x\n~~~\n```py\nadd = max\n```', 3, 2],
  ['an import shows how to use it', '```python\nfrom x import add\n```', 1, 0],
  ['thoughts are no part of the answer', '<think>\n```\ndef add(): ...\n```\n</think>\n```\ndef add(): ...\n```', 1, 1],
])('%s', (_shape, reply, blocks, defining) => {
  expect(countBlocks(reply, add)).toEqual({ blocks, defining });
});

test('in another language', () => {
  const reply = '```js\nfunction add(a, b) { return a + b; }\n```\n```js\nconsole.log(add(1, 2));\n```';
  expect(countBlocks(reply, { entryPoint: 'add', language: 'javascript', prompt: 'function add(a, b) {' })).toEqual({
    blocks: 2,
    defining: 1,
  });
});
