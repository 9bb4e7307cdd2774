import { expect, test } from 'vitest';
import { flipsOf } from '../../../domain/compare/flips.ts';

const sides = {
  taskIds: ['one answer', 'sure', 'less sure', 'equal', 'back'],
  first: [100, 100, 100, 50, 0],
  second: [0, 0, 50, 50, 100],
  samples: [1, 4, 4, 4, 4],
  most: 100,
  direction: 'higher',
} as const;

test('tasks that flip most surely come first; a single answer is no evidence', () => {
  const flips = flipsOf(sides);
  expect(flips.map(({ taskId }) => taskId)).toEqual(['back', 'sure', 'less sure', 'one answer']);
  // Fisher: 4 of 4 against 0 of 4 is 2 / C(8, 4); 4 of 4 against 2 of 4 is (15 + 15) / C(8, 6) x ... = 3 / 7.
  expect(flips.map(({ p }) => p && Number(p.toFixed(6)))).toEqual([0.028571, 0.028571, 0.428571, null]);
});

test('which side is better follows the direction of the metric', () => {
  const better = (direction: 'higher' | 'lower') =>
    flipsOf({ ...sides, direction }).map(({ firstIsBetter }) => firstIsBetter);
  expect(better('higher')).toEqual([false, true, true, true]);
  expect(better('lower')).toEqual([true, false, false, false]);
});

test('values that are no shares of answers are sorted by the size of the difference', () => {
  const flips = flipsOf({ ...sides, first: [1, 5, 3, 2, 0], second: [0, 0, 0, 2, 9], samples: null });
  expect(flips.map(({ taskId, p }) => [taskId, p])).toEqual([
    ['back', null],
    ['sure', null],
    ['less sure', null],
    ['one answer', null],
  ]);
});
