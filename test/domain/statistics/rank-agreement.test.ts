import { expect, test } from 'vitest';
import { iccIntervals } from '../../../domain/statistics/intervals/icc-interval.ts';
import { intraclassCorrelation, kendallW } from '../../../domain/statistics/ranks/rank-agreement.ts';
import scipy from '../../fixtures/scipy/concordance.json' with { type: 'json' };

test.each(scipy.kendall_w)(
  "Kendall's W of $table.length settings is Friedman's chi-square of SciPy, scaled",
  ({ table, w }) => {
    expect(kendallW(table)).toBeCloseTo(w, 12);
  },
);

test("Kendall's W is 1 for equal orders, 0 for two reverse ones, and null without orders", () => {
  expect(
    kendallW([
      [1, 2, 3],
      [10, 20, 90],
    ]),
  ).toBe(1);
  expect(
    kendallW([
      [1, 2, 3],
      [3, 2, 1],
    ]),
  ).toBe(0);
  expect(kendallW([[1, 2, 3]])).toBeNull();
  expect(
    kendallW([
      [2, 2],
      [5, 5],
    ]),
  ).toBeNull();
});

test('the intraclass correlations are those of Shrout and Fleiss (1979), table 4', () => {
  const judges = [
    [9, 6, 8, 7, 10, 6],
    [2, 1, 4, 1, 5, 2],
    [5, 3, 6, 2, 6, 4],
    [8, 2, 8, 6, 9, 7],
  ];
  const icc = intraclassCorrelation(judges);
  expect(icc?.agreement).toBeCloseTo(0.29, 2);
  expect(icc?.consistency).toBeCloseTo(0.71, 2);
  // R, psych::ICC of the same table: ICC3 0.342 to 0.946. ICC2: quantiles of 4 million draws of its pivots by NumPy.
  const intervals = iccIntervals(judges);
  expect(Math.abs((intervals?.agreement.lo ?? 1) - 0.0268)).toBeLessThan(0.01);
  expect(Math.abs((intervals?.agreement.hi ?? 1) - 0.7451)).toBeLessThan(0.01);
  expect(intervals?.consistency.lo).toBeCloseTo(0.342, 3);
  expect(intervals?.consistency.hi).toBeCloseTo(0.946, 3);
  expect(iccIntervals(judges.map((row) => row.slice(0, 2)))).toBeNull();
});

test('a shift of all scores reduces agreement but not consistency', () => {
  const icc = intraclassCorrelation([
    [1, 2, 3],
    [2, 3, 4],
  ]);
  // Between models 2, between settings 1.5, residual 0: 2 / (2 + 2 * 1.5 / 3) and 2 / 2.
  expect(icc?.agreement).toBeCloseTo(2 / 3, 12);
  expect(icc?.consistency).toBeCloseTo(1, 12);
});

test('there is no intraclass correlation of one setting or of equal scores, and a ragged table is an error', () => {
  expect(intraclassCorrelation([[1, 2, 3]])).toBeNull();
  expect(
    intraclassCorrelation([
      [1, 1],
      [1, 1],
    ]),
  ).toBeNull();
  expect(() => intraclassCorrelation([[1, 2], [1]])).toThrow('each of the 2 models, got a setting with 1');
});
