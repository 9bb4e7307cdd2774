import { expect, test } from 'vitest';
import { benjaminiHochberg } from '../../../domain/statistics/tests/benjamini-hochberg.ts';

test("agrees with R's p.adjust(p, 'BH'), worked by hand: p n / rank, smallest from the right", () => {
  for (const value of benjaminiHochberg([0.01, 0.02, 0.03, 0.04, 0.05])) expect(value).toBeCloseTo(0.05, 12);
  const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.2]);
  for (const [index, value] of [0.04, 0.16 / 3, 0.16 / 3, 0.2].entries())
    expect(adjusted[index]).toBeCloseTo(value, 12);
});

test('ignores tests that were not possible, and stays at or below 1', () => {
  expect(benjaminiHochberg([null, 0.6, 0.9])).toEqual([null, 0.9, 0.9]);
  expect(benjaminiHochberg([])).toEqual([]);
});
