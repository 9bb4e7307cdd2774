/** What stands for a value that was not judged. */
import { expect, test } from 'vitest';
import { filledValues } from '../../../domain/metrics/sides/filled.ts';

test('the mean of the judged values; 0 without any', () => {
  expect(filledValues([1, null, 3])).toEqual([1, 2, 3]);
  expect(filledValues([null, null])).toEqual([0, 0]);
});

// Red before: a card said 3.00 of chains of which half passed at most 2 of 3 steps for certain.
test('if all values cannot have this mean, the ends that are nearer to it', () => {
  const passes = { least: [3, 3, 1, 1], most: [3, 3, 2, 2] };
  expect(filledValues([3, 3, null, null], passes)).toEqual([3, 3, 2, 2]);
  expect(filledValues([0, 0, null, null], { least: [0, 0, 1, 1], most: [0, 0, 3, 3] })).toEqual([0, 0, 1, 1]);
  expect(filledValues([0, 3, null, null], { least: [0, 3, 1, 1], most: [0, 3, 3, 3] })).toEqual([0, 3, 1.5, 1.5]);
  expect(filledValues([null, null], { least: [0, 0], most: [1, 1] })).toEqual([0, 0]);
});
