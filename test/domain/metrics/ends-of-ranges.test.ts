/** Intervals of shares end where shares do, and tasks without a value change none. */
import { expect, test } from 'vitest';
import { spreadInterval } from '../../../domain/metrics/nfr-intervals.ts';
import { phrasingSpread, type TaskParts } from '../../../domain/metrics/phrasing-values.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { averageInterval } from '../../../domain/statistics/intervals/average-interval.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';

const range = { lo: 0, hi: 100 };

// Red before: 99.99999999999999, below the estimate.
test('the mean of values that are all at the end of their range is in its interval', () => {
  const all = (value: number) => Array.from({ length: 45 }, () => Array.from({ length: 10 }, () => value));
  expect(averageInterval(all(100), range)?.hi).toBe(100);
  expect(averageInterval(all(0), range)?.lo).toBe(0);
});

// Red before: 68.9 in place of 84.6 for 22 of 22 with 23 that were not judged.
test('a task without any value changes nothing', () => {
  const values = Array.from({ length: 22 }, () => 100);
  const judged = averageInterval(
    values.map((value) => [value]),
    range,
  );
  const all = [...values.map((value) => [value]), ...Array.from({ length: 23 }, () => [null])];
  expect(averageInterval(all, range)).toEqual(judged);
  expect(judged?.lo).toBeCloseTo(boundedMeanInterval(values, range)?.lo ?? 0, 9);
  expect(judged?.lo).toBeCloseTo(84.6, 1);
});

// Red before: 25 (12.8 to 179.3).
test('STDEV of shares has no upper limit that shares cannot have; of messages it may have any', () => {
  const task = (passes: readonly number[]): TaskParts => passes.map((numerator) => ({ numerator, denominator: 1 }));
  const tasks = [task([1, 1, 0]), task([1, 0, 0]), task([1, 1, 1]), task([1, 1, 1])];
  const spread = phrasingSpread(tasks, 100);
  expect(spread.stdev).toBeCloseTo(25, 9);
  expect(spreadInterval(spread, tasks, solutionMetrics.pass_at_1)?.hi).toBe(50);
  expect(spreadInterval(spread, tasks, { scale: 100, unit: 'per 10 lines' })?.hi).toBeGreaterThan(100);
  const far = [task([1, 0, 0])];
  const most = phrasingSpread(far, 100);
  expect(spreadInterval(most, far, solutionMetrics.pass_at_1)?.hi).toBe(most.stdev);
});
