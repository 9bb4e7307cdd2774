/** The median and its interval, by hand. */
import { expect, test } from 'vitest';
import { medianInterval } from '../../../domain/statistics/median-interval.ts';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, place) => n - place);

// P(Bin(10, 1/2) <= 1) = 11 / 1024 = 0.011 and P(... <= 2) = 56 / 1024 = 0.055, so 2 of 10 lie beyond each end at most.
test.each([
  [upTo(10), 0.95, 5.5, { lo: 2, hi: 9 }],
  [upTo(10), 0.85, 5.5, { lo: 3, hi: 8 }],
  // 2 / 2^6 = 0.031, but 2 / 2^5 = 0.063.
  [upTo(6), 0.95, 3.5, { lo: 1, hi: 6 }],
  [upTo(5), 0.95, 3, null],
  [[7], 0.95, 7, null],
])('%j at %s: %s', (values, level, value, interval) => {
  expect(medianInterval(values, level)).toEqual({ value, interval });
});

test('a tenth of the values, however large, moves neither the median nor its interval', () => {
  const even = Array.from({ length: 164 }, () => 0.05);
  expect(medianInterval(even.with(0, 1))).toEqual({ value: 0.05, interval: { lo: 0.05, hi: 0.05 } });
  expect(medianInterval(even.fill(1, 98, 115))).toEqual({ value: 0.05, interval: { lo: 0.05, hi: 0.05 } });
});
