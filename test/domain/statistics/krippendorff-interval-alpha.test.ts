import { expect, test } from 'vitest';
import { alphaInterval } from '../../../domain/statistics/intervals/alpha-interval.ts';
import { krippendorffIntervalAlpha } from '../../../domain/statistics/krippendorff-interval-alpha.ts';
import fixture from '../../fixtures/krippendorff/judges.json' with { type: 'json' };

test.each(fixture.alphas.map(({ scores, alpha }, index) => [index, scores, alpha] as const))(
  'set %i of scores, some of them missing: as the package krippendorff',
  (_index, scores, alpha) => {
    expect(krippendorffIntervalAlpha(scores)).toBeCloseTo(alpha, 12);
  },
);

test('three units by hand', () => {
  const units = [
    [0.2, 0.4],
    [0.6, 0.6],
    [1, 0.8],
  ];
  // Six values with mean 0.6: squares 0.16, 0.04, 0, 0, 0.16, 0.04. Within: 2 x 0.02 + 2 x 0.02. 1 - 5 x 0.08 / 2.4.
  expect(krippendorffIntervalAlpha(units)).toBeCloseTo(5 / 6, 12);
});

test('equal scores of a break and different breaks: 1; nothing to pair, or nothing to disagree about: null', () => {
  expect(
    krippendorffIntervalAlpha([
      [0.3, 0.3],
      [0.9, 0.9],
    ]),
  ).toBe(1);
  expect(
    krippendorffIntervalAlpha([
      [0.3, null],
      [null, 0.9],
    ]),
  ).toBeNull();
  expect(
    krippendorffIntervalAlpha([
      [0.5, 0.5],
      [0.5, 0.5],
    ]),
  ).toBeNull();
  expect(krippendorffIntervalAlpha([])).toBeNull();
});

const range = { lo: 0, hi: 1 };

test.each(fixture.intervals.map(({ scores, ends }, index) => [index, scores, ends] as const))(
  'interval %i: the quantiles over Dirichlet weights with an unseen unit, as by NumPy',
  (_index, scores, ends) => {
    const found = alphaInterval(
      scores.map((unit) => [unit]),
      range,
    );
    // 2,000 draws against 40,000.
    expect(Math.abs((found?.lo ?? 9) - (ends[0] as number))).toBeLessThan(0.05);
    expect(Math.abs((found?.hi ?? 9) - (ends[1] as number))).toBeLessThan(0.02);
    expect(found).toEqual(
      alphaInterval(
        scores.map((unit) => [unit]),
        range,
      ),
    );
  },
);

test('the interval of full agreement is not empty; units of one task count as one', () => {
  const equal = [0.2, 0.5, 0.9, 1].map((score) => [score, score]);
  const apart = alphaInterval(
    equal.map((unit) => [unit]),
    range,
  );
  expect(apart?.hi).toBe(1);
  expect(apart?.lo).toBeLessThan(0.9);
  expect(alphaInterval([equal], range)?.lo).toBeLessThan(apart?.lo ?? 0);
  expect(alphaInterval([[[0.5, 0.5]]], range)).toBeNull();
});
