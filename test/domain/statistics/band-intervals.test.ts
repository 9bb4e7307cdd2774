/** Intervals of D, of variances and of trajectories, compared with values computed by hand. */
import { expect, test } from 'vitest';
import { emotionDistances } from '../../../studies/promptse/results/affect/emotion-distances.ts';
import { trajectoryInterval } from '../../../studies/promptse/results/affect/trajectory.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { distanceInterval } from '../../../domain/statistics/intervals/distance-interval.ts';
import { varianceInterval } from '../../../domain/statistics/intervals/variance-interval.ts';

const options = { seed: 3 };

test('with D = 1 on all of 20 tasks no resample differs, and the interval is what unobserved tasks allow', () => {
  const clusters = Array.from({ length: 20 }, (_, task) => ({ first: [task / 100], second: [1 + task / 100] }));
  const { lo, hi } = distanceInterval(clusters, 1, options) as { lo: number; hi: number };
  expect(hi).toBe(1);
  // Resamples change the tasks' places within each group, but the groups always stay apart.
  expect(lo).toBeGreaterThan(0.5);
  expect(lo).toBeLessThanOrEqual(0.05 ** (1 / 20));
});

test('values that are the same under both emotions have D = 0, and an interval from 0 with a width', () => {
  const clusters = Array.from({ length: 50 }, (_, task) => ({ first: [task, task + 0.5], second: [task, task + 0.5] }));
  expect(distanceInterval(clusters, 0, options)).toEqual({ lo: 0, hi: expect.closeTo(1 - 0.05 ** (1 / 50), 12) });
});

test('equal values of a task count once: ten of them do not change the interval', () => {
  const clusters = (copies: number) =>
    Array.from({ length: 12 }, (_, task) => ({
      first: Array.from({ length: copies }, () => (task * 7) % 12),
      second: Array.from({ length: copies }, () => ((task * 5) % 12 >= 6 ? 20 : task)),
    }));
  expect(distanceInterval(clusters(10), 0.5, options)).toEqual(distanceInterval(clusters(1), 0.5, options));
  expect(distanceInterval(clusters(1).slice(0, 2), 0.5, options)).toBeNull();
});

test('each pair of emotions has its interval and its tasks', () => {
  const of = (tasks: readonly string[], confidences: readonly number[]) =>
    new Map(tasks.map((task) => [task, confidences]));
  const values = new Map([
    ['calm', of(['a', 'b', 'c', 'd'], [0.9, 0.95])],
    ['angry', of(['a', 'b', 'c'], [0.1, 0.2])],
  ]);
  const [found] = emotionDistances(values);
  expect(found).toMatchObject({
    emotions: ['angry', 'calm'],
    test: { statistic: 1, n: 14 },
    tasks: 4,
    interval: { hi: 1 },
  });
  expect(found?.interval?.lo).toBeLessThan(1);
});

test('the variance of alternating 0 and 1 is 1/4, the maximum; all squares around the mean are 1/4', () => {
  const clusters = Array.from({ length: 40 }, (_, task) => [task % 2]);
  const found = varianceInterval(clusters, { lo: 0, hi: 1 });
  expect(found?.hi).toBe(0.25);
  // Squares of 1/4 of at most 1/4: down to 0.025^(1/40) of it, less the square of half
  // the width of 20 of 40's interval.
  const mean = boundedMeanInterval(clusters.flat(), { lo: 0, hi: 1 }) as { lo: number; hi: number };
  expect(found?.lo).toBeCloseTo(0.25 * 0.025 ** (1 / 40) - ((mean.hi - mean.lo) / 2) ** 2, 9);
  expect(varianceInterval([[0.5]], { lo: 0, hi: 1 })).toBeNull();
});

test('the interval of a trajectory ends at 0 at most, and reaches below the lowest task', () => {
  const tasks = [
    { sum: -0.2, n: 2 },
    { sum: -3, n: 3 },
    { sum: 0, n: 2 },
  ];
  const found = trajectoryInterval(tasks) as { lo: number; hi: number };
  const mean = -3.2 / 7;
  expect(found.lo).toBeLessThan(mean);
  // As far below the lowest, -1, as the tasks lie apart, 1.
  expect(found.lo).toBeGreaterThan(-2);
  expect(found.hi).toBeGreaterThan(mean);
  expect(found.hi).toBeLessThanOrEqual(0);
  expect(trajectoryInterval([{ sum: 0, n: 0 }])).toBeNull();
});
