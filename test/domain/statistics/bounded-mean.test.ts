import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { shareInterval } from '../../../domain/statistics/intervals/share-interval.ts';

const unit = { lo: 0, hi: 1 };

test('shares: Clopper and Pearson, as scipy.stats.binomtest(k, n).proportion_ci(level, "exact") gives it', () => {
  const reference: [number, number, number, number, number][] = [
    [13, 14, 0.95, 0.661315510068, 0.998193219341],
    [0, 16, 0.95, 0, 0.205907214208],
    [16, 16, 0.95, 0.794092785792, 1],
    [8, 10, 0.9, 0.493098698937, 0.963228562113],
    [5, 164, 0.95, 0.00997195320254, 0.0697114853702],
    [70, 164, 0.99, 0.327694452826, 0.53032177172],
    [1, 1, 0.95, 0.025, 1],
    [3, 100_000, 0.95, 6.18676391593e-6, 8.76702025678e-5],
  ];
  for (const [passes, trials, level, lo, hi] of reference) {
    const found = shareInterval(passes, trials, level);
    expect(found?.lo).toBeCloseTo(lo, 9);
    expect(found?.hi).toBeCloseTo(hi, 9);
  }
  expect(shareInterval(0, 0)).toBeNull();
  expect(() => shareInterval(3, 2)).toThrow('shareInterval needs');
});

test('values of 0 and 1 have the interval of their share, also within other bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }), (passed) => {
      const share = shareInterval(passed.filter(Boolean).length, passed.length) as { lo: number; hi: number };
      const mean = boundedMeanInterval(passed.map(Number), unit) as { lo: number; hi: number };
      const shifted = boundedMeanInterval(
        passed.map((one) => (one ? 7 : -3)),
        { lo: -3, hi: 7 },
      ) as { lo: number; hi: number };
      expect(mean.lo).toBeCloseTo(share.lo, 12);
      expect(mean.hi).toBeCloseTo(share.hi, 12);
      expect(shifted.lo).toBeCloseTo(10 * share.lo - 3, 10);
      expect(shifted.hi).toBeCloseTo(10 * share.hi - 3, 10);
    }),
  );
});

/** P(sum a_i E_i > 0) for distinct coefficients: the closed form by partial fractions. */
const aboveNone = (coefficients: readonly number[]): number =>
  coefficients
    .filter((one) => one > 0)
    .reduce(
      (sum, one) =>
        sum +
        coefficients.filter((other) => other !== one).reduce((product, other) => (product * one) / (one - other), 1),
      0,
    );

test('the ends are the quantiles of the randomly weighted mean, in closed form for values that all differ', () => {
  const shares = fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(shares, fc.constantFrom(0.8, 0.95, 0.99), (fortieths, level) => {
      const values = fortieths.map((one) => one / 40);
      const { lo, hi } = boundedMeanInterval(values, unit, { level }) as { lo: number; hi: number };
      const tail = (1 - level) / 2;
      expect(aboveNone([...values, 1].map((value) => value - hi))).toBeCloseTo(tail, 7);
      expect(aboveNone([...values, 0].map((value) => lo - value))).toBeCloseTo(tail, 7);
    }),
  );
});

// Red before the step followed the phase: the lower end of the first was 0.
test('many values near a bound and a few far from it: the closed form, with 420 to 900 digits in mpmath', () => {
  const many = (count: number, value: (index: number) => number) => Array.from({ length: count }, (_, i) => value(i));
  const reference: [number[], number, number][] = [
    [[...many(370, (i) => 1 - (i + 1) / 1e7), ...many(8, (i) => (943 + i) / 1000)], 0.98911878434543, 0.99949080101973],
    [[...many(120, (i) => (i + 1) / 1e5), 0.9, 0.7], 0.0021802801587528, 0.051235174570692],
    [many(119, (i) => (i + 1) / 120), 0.44441763026603, 0.55558236973397],
  ];
  for (const [values, lo, hi] of reference) {
    const found = boundedMeanInterval(values, unit);
    expect(found?.lo).toBeCloseTo(lo, 8);
    expect(found?.hi).toBeCloseTo(hi, 8);
  }
});

test('values of 0 and 1 that differ a little have almost the interval of Clopper and Pearson, however many', () => {
  for (const [ones, all] of [
    [370, 378],
    [5, 378],
    [990, 1000],
    [9990, 10_000],
  ] as const) {
    const values = Array.from({ length: all }, (_, i) => (i < ones ? 1 - 1e-12 * i : 1e-12 * i));
    const share = shareInterval(ones, all);
    const found = boundedMeanInterval(values, unit);
    expect(found?.lo).toBeCloseTo(share?.lo ?? Number.NaN, 7);
    expect(found?.hi).toBeCloseTo(share?.hi ?? Number.NaN, 7);
  }
}, 60_000);

test('with weights: the same quantiles of the weighted mean', () => {
  const values = [0.2, 0.4, 0.9, 0.5];
  const { lo, hi } = boundedMeanInterval(values, unit, { weights: [1, 2, 3, 10] }) as { lo: number; hi: number };
  const upper = values.map((value, index) => (([1, 2, 3, 10][index] as number) / 4) * (value - hi));
  expect(aboveNone([...upper, 1 - hi])).toBeCloseTo(0.025, 7);
  const lower = values.map((value, index) => (([1, 2, 3, 10][index] as number) / 4) * (lo - value));
  expect(aboveNone([...lower, lo])).toBeCloseTo(0.025, 7);
  expect(boundedMeanInterval(values, unit, { weights: [3, 3, 3, 3] })).toEqual(boundedMeanInterval(values, unit));
});

test('for all values the interval contains the mean, lies within the bounds and is never empty', () => {
  const some = fc.array(
    fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.5, 1e-300, 1 - 1e-15)),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(some, (values) => {
      const { lo, hi } = boundedMeanInterval(values, unit) as { lo: number; hi: number };
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(lo).toBeGreaterThanOrEqual(0);
      expect(hi).toBeLessThanOrEqual(1);
      expect(lo).toBeLessThanOrEqual(mean + 1e-12);
      expect(hi).toBeGreaterThanOrEqual(mean - 1e-12);
      expect(hi - lo).toBeGreaterThan(1e-4);
    }),
  );
});

test('the interval covers 95 % for difficult distributions, where a percentile bootstrap fails', () => {
  const random = uniform(seedOf('bounded means'));
  const distributions: [number, () => number][] = [
    [0.03, () => (random() < 0.03 ? 1 : 0)],
    [0.97 + 0.03 / 3, () => (random() < 0.97 ? 1 : random() / 1.5)],
    [1 / 3, () => random() ** 2],
    [0.99 / 2, () => (random() < 0.01 ? 0 : random())],
  ];
  for (const [truth, draw] of distributions)
    for (const n of [5, 20, 60]) {
      const inside = Array.from({ length: 400 }, () => {
        const { lo, hi } = boundedMeanInterval(Array.from({ length: n }, draw), unit) as { lo: number; hi: number };
        return lo <= truth && truth <= hi;
      }).filter(Boolean).length;
      expect(inside).toBeGreaterThanOrEqual(372);
    }
});

test('without values there is no interval; values outside the bounds and bounds without width are refused', () => {
  expect(boundedMeanInterval([], unit)).toBeNull();
  expect(() => boundedMeanInterval([1.1], unit)).toThrow('values must lie between 0 and 1, got 1.1');
  expect(() => boundedMeanInterval([Number.NaN], unit)).toThrow('NaN');
  expect(() => boundedMeanInterval([1], { lo: 1, hi: 1 })).toThrow('lo < hi');
  expect(() => boundedMeanInterval([0.5], unit, { weights: [] })).toThrow('weight');
});
