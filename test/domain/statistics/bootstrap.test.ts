import { expect, test } from 'vitest';
import { seedOf } from '../../../domain/random.ts';
import { clusterBootstrap } from '../../../domain/statistics/intervals/bootstrap.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** All n^n equally likely resamples of n values. */
function allResamples(values: readonly number[]): number[][] {
  let resamples: number[][] = [[]];
  for (let place = 0; place < values.length; place += 1)
    resamples = resamples.flatMap((head) => values.map((value) => [...head, value]));
  return resamples;
}

test('the interval of a mean is near the exact one from all n^n resamples', () => {
  const values = [0, 1, 5, 6, 20];
  const exact = allResamples(values)
    .map(mean)
    .sort((a, b) => a - b);
  const at = (p: number): number => exact[Math.round(p * (exact.length - 1))] ?? Number.NaN;
  const { interval } = clusterBootstrap(values, mean, { seed: seedOf('exact'), resamples: 40_000, level: 0.9 });
  expect(Math.abs((interval?.lo ?? Number.NaN) - at(0.05))).toBeLessThanOrEqual(0.2);
  expect(Math.abs((interval?.hi ?? Number.NaN) - at(0.95))).toBeLessThanOrEqual(0.2);
});

test('whole clusters are drawn: two equal cells of one task do not narrow the interval', () => {
  const singles = [[0], [0], [1], [1], [1]];
  const doubled = singles.map((cluster) => [...cluster, ...cluster]);
  const estimator = (drawn: readonly (readonly number[])[]): number => mean(drawn.flat());
  const options = { seed: seedOf('clusters') };
  expect(clusterBootstrap(doubled, estimator, options)).toEqual(clusterBootstrap(singles, estimator, options));
});

test('the same seed gives the same interval, another seed another one', () => {
  const values = [1.5, 2.25, 3, 4.75, 5, 6.125, 9];
  const first = clusterBootstrap(values, mean, { seed: 1 });
  expect(clusterBootstrap(values, mean, { seed: 1 })).toEqual(first);
  expect(clusterBootstrap(values, mean, { seed: 2 })).not.toEqual(first);
});

test('every resample has as many clusters as there are', () => {
  const sizes = new Set<number>();
  clusterBootstrap([1, 2, 3], (drawn) => sizes.add(drawn.length).size, { seed: 3, resamples: 50 });
  expect([...sizes]).toEqual([3]);
});

test('resamples in which the estimate is undefined are omitted and counted', () => {
  const result = clusterBootstrap([0, 1], (drawn) => (drawn.includes(1) ? mean(drawn) : null), {
    seed: 4,
    resamples: 4_000,
  });
  expect(result.resamples).toBe(4_000);
  expect(Math.abs(result.defined / 4_000 - 0.75)).toBeLessThan(0.03);
  expect(result.interval).toEqual({ lo: 0.5, hi: 1 });
});

test('without clusters there is no interval', () => {
  expect(clusterBootstrap([], () => 1, { seed: 5 }).interval).toBeNull();
});
