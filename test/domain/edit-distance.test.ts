import { expect, test } from 'vitest';
import { editDistance, wordDistance } from '../../domain/edit-distance.ts';

test('kitten becomes sitting by three edits', () => {
  expect(editDistance([...'kitten'], [...'sitting'])).toBe(3);
  expect(editDistance([], [...'abc'])).toBe(3);
  expect(editDistance([...'abc'], [...'abc'])).toBe(0);
});

test('one new word before nine gives 1/10; case, line ends and punctuation at words do not count', () => {
  expect(wordDistance('a b c d e f g h i', 'Well, a b c d e f g h i.')).toBe(0.1);
  expect(wordDistance('Return the sum.', 'return\n   THE sum')).toBe(0);
  expect(wordDistance('', ' ')).toBe(0);
  expect(wordDistance('', 'two words')).toBe(1);
});
