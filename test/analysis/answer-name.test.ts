/** The names of single answers in a comparison of variants. */
import { expect, test } from 'vitest';
import { answerName } from '../../analysis/first-answers.ts';

// Red before: `default 0`, `t0.8 2, repetition 1`.
test.each([
  ['default 0', 0, 'repetition 1, sample 1'],
  ['t0.8 2', 1, 't0.8, repetition 2, sample 3'],
])('%s of repetition %i is %s', (variant, repetition, name) => {
  expect(answerName({ variant, repetition, phrasing: null })).toBe(name);
});
