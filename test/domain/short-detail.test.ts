import { expect, test } from 'vitest';
import { shortDetail } from '../../domain/short-detail.ts';

test('a long line keeps its begin and its end, and says how much is left out; short ones stay', () => {
  const long = `${'a'.repeat(300)}${'b'.repeat(1_400)}${'c'.repeat(300)}`;
  expect(shortDetail(`first\n${long}`)).toBe(
    `first\n${'a'.repeat(300)} … (1400 characters left out; status --json has them) … ${'c'.repeat(300)}`,
  );
  const short = 'd'.repeat(700);
  expect(shortDetail(short)).toBe(short);
});
