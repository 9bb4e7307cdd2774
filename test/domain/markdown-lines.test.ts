import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownWidth, wrappedMarkdown } from '../../domain/markdown-lines.ts';

test('lines are short, and joined they give the text', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), (words) => {
      const lines = wrappedMarkdown(words.join(' '), '- ').split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(markdownWidth);
      expect(lines.map((line) => line.slice(2)).join(' ')).toBe(words.join(' '));
    }),
  );
});

test('code in backticks stays on one line, and no line begins with the sign of a list', () => {
  const long = 'word '.repeat(22);
  expect(wrappedMarkdown(`${long}\`SELECT one, two FROM three\` end`).split('\n')[1]).toBe(
    '`SELECT one, two FROM three` end',
  );
  const dash = wrappedMarkdown(`${'x'.repeat(100)} ${'y'.repeat(17)} - after`);
  expect(dash.split('\n')).toEqual(['x'.repeat(100), `${'y'.repeat(17)} - after`]);
});
