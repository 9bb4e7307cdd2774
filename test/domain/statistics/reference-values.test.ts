import { expect, test } from 'vitest';
import { quantile } from '../../../domain/statistics/quantile.ts';
import { shareInterval } from '../../../domain/statistics/intervals/share-interval.ts';
import { normalQuantile } from '../../../domain/statistics/special.ts';
import scipy from '../../fixtures/scipy/statistics.json' with { type: 'json' };

test.each(scipy.normal_quantile)('the normal quantile at $p is that of SciPy', ({ p, z }) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 11);
});

test.each([0, 1, -0.1, Number.NaN])('the normal quantile refuses %s', (p) => {
  expect(() => normalQuantile(p)).toThrow('between 0 and 1');
});

test.each(scipy.quantile)('the $p quantile of $values is that of NumPy', ({ values, p, quantile: expected }) => {
  expect(quantile(values, p)).toBeCloseTo(expected, 12);
});

test('a quantile of an empty list is refused', () => {
  expect(() => quantile([], 0.5)).toThrow('0 values');
});

test.each(scipy.shares)(
  "Clopper and Pearson's interval of $passes of $trials at $level is that of SciPy",
  ({ passes, trials, level, lo, hi }) => {
    const interval = shareInterval(passes, trials, level);
    expect(interval?.lo).toBeCloseTo(lo, 10);
    expect(interval?.hi).toBeCloseTo(hi, 10);
  },
);

test('a level outside (0, 1) is refused', () => {
  expect(() => shareInterval(1, 2, 95)).toThrow('got 95');
});
