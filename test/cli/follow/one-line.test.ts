import { expect, test } from 'vitest';
import { inOneLine } from '../../../cli/output/terminal.ts';

// Red before: an endpoint's name of a model wrote lines of its own into `status`.
test('a text from elsewhere stays in one line', () => {
  expect(inOneLine('m\nspend $0.00\t\u001b[2Jdone')).toBe('m spend $0.00 done');
});
