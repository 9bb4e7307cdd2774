import { expect, test } from 'vitest';
import { phrasingSpread } from '../../../domain/metrics/phrasing-values.ts';
import { spreadInterval } from '../../../domain/metrics/nfr-intervals.ts';

const passed = { numerator: 1, denominator: 1 };
const failed = { numerator: 0, denominator: 1 };

test('the interval of a spread of shares ends at half the scale, as no distribution of shares spreads more', () => {
  // One phrasing solves four tasks of four, the other two: chi-square alone says up to 800 points.
  const tasks = [
    [passed, passed],
    [passed, passed],
    [passed, failed],
    [passed, failed],
  ];
  const interval = spreadInterval('pass_at_1', phrasingSpread(tasks, 100), tasks);
  expect(interval?.lo).toBeGreaterThan(0);
  expect(interval?.hi).toBe(50);
  // All against nothing: the sample's own STDEV, 70.7, is above half the scale, and stays within its interval.
  const apart = [
    [passed, failed],
    [passed, failed],
  ];
  expect(spreadInterval('pass_at_1', phrasingSpread(apart, 100), apart)?.hi).toBeCloseTo(100 / Math.SQRT2, 9);
});
