import { expect, test } from 'vitest';
import { nearest } from '../../domain/nearest.ts';

const metrics = ['asl', 'pass_at_1', 'pass_rate', 'code_smell'];

// Red before for "pass": asl, at a distance of two letters.
test.each([
  ['pass', 'pass_at_1'],
  ['Asl', 'asl'],
  ['als', 'asl'],
  ['pass_at1', 'pass_at_1'],
  ['code_smlel', 'code_smell'],
  ['pa', undefined],
  ['latency', undefined],
])('for %s one most likely meant %s', (word, meant) => {
  expect(nearest(word, metrics)).toBe(meant);
});
