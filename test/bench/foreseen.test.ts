import { expect, test } from 'vitest';
import { foreseen } from '../../bench/sweep/foreseen.ts';

test('a straight line through three points says what one more would be, with its error', () => {
  const { slope, at, error } = foreseen(
    [
      [1, 1],
      [2, 2],
      [3, 4],
    ],
    4,
  );
  expect(slope).toBeCloseTo(1.5, 10);
  expect(at).toBeCloseTo(16 / 3, 10);
  // By hand: variance 1/6 with one degree of freedom, times 1 + 1/3 + (4 - 2)^2 / 2; t is 12.7062.
  expect(error).toBeCloseTo(12.7062 * Math.sqrt((1 / 6) * (10 / 3)), 3);
});

test('two points tell of no spread', () => {
  expect(
    foreseen(
      [
        [1, 3],
        [2, 5],
      ],
      10,
    ),
  ).toEqual({ slope: expect.closeTo(2, 10), at: expect.closeTo(21, 10), error: null });
});
