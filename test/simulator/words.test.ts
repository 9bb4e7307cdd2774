import { expect, test } from 'vitest';
import { jaccard, readDescription, recallOf, retell, wordsOf } from '../../simulator/words.ts';

const description = readDescription(
  '"""\nWrite a function to find the shared elements from the given two lists.\nassert similar((1,)) == 1\n"""\n',
);

test('a description is read as its content words, without the assert line', () => {
  expect([...description.content]).toEqual(['find', 'shared', 'elements', 'two', 'lists']);
});

test('recall is the share of content words that a text holds in its natural lines', () => {
  expect(recallOf(description, wordsOf('FIND two elements!'))).toBe(3 / 5);
  expect(recallOf(description, wordsOf('assert find(two, lists)'))).toBe(0);
});

test('losing a word also loses the function words before it', () => {
  const told = retell(description, (word, written) => (word === 'two' || word === 'shared' ? null : written));
  expect(told).toBe('Write a function to find elements lists.');
});

test('overlap of two word sets is intersection over union, 1 for two empty ones', () => {
  expect(jaccard(new Set(['a', 'b']), new Set(['b', 'c']))).toBe(1 / 3);
  expect(jaccard(new Set(), new Set())).toBe(1);
});
