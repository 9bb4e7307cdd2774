import { countTokens } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { tokensOf } from '../../../activities/estimate/token-counts.ts';

test('a prompt with a million letters in a row is counted within seconds, and nearly as the tokenizer would', {
  timeout: 20_000,
}, () => {
  // Eight letters of this run make a token, whatever its length.
  const perLetter = countTokens('x'.repeat(1_600)) / 1_600;
  const counted = tokensOf(`Return ${'x'.repeat(1_000_000)} as it is.`);
  expect(counted / 1_000_000).toBeGreaterThan(0.9 * perLetter);
  expect(counted / 1_000_000).toBeLessThan(1.2 * perLetter);
});

test('ordinary text is counted as it is', () => {
  const text = 'def add(a: int, b: int) -> int:\n    """Return <|endoftext|> the sum of a and b."""\n';
  expect(tokensOf(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
});
