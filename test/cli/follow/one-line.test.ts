import { expect, test } from 'vitest';
import { escaped, inOneLine, withShownEnd } from '../../../cli/output/terminal.ts';

// Red before: an endpoint's name of a model wrote lines of its own into `status`.
test('a text from elsewhere stays in one line', () => {
  expect(inOneLine('m\nspend $0.00\t\u001b[2Jdone')).toBe('m spend $0.00 done');
});

test('what somebody asked to see keeps its control characters as escapes', () => {
  expect(escaped('a\tb\n\u001b[31m\u0000\u007f\u2066é')).toBe(String.raw`a${'\t'}b${'\n'}\x1b[31m\x00\x7f\u2066é`);
  expect(withShownEnd('ValueError: \t\t')).toBe(String.raw`ValueError: \x09\x09`);
  expect(withShownEnd('a\tb\nc')).toBe('a\tb\nc');
});
