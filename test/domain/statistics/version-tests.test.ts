import { expect, test } from 'vitest';
import { holmAdjusted } from '../../../domain/statistics/tests/holm.ts';
import { mcnemarP, mcnemarSmallestDifference } from '../../../domain/statistics/tests/mcnemar.ts';
import { pairedTTest } from '../../../domain/statistics/tests/paired-t.ts';
import { mean, sampleVariance, standardDeviation } from '../../../domain/statistics/spread.ts';
import { studentQuantile, twoSidedP } from '../../../domain/statistics/student.ts';
import { welchTest } from '../../../domain/statistics/tests/welch.ts';
import scipy from '../../fixtures/scipy/comparison.json' with { type: 'json' };

const near = (value: number | undefined, expected: number): void => {
  expect(Math.abs((value ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
};

test.each(scipy.spread)(
  'mean and standard deviation (n - 1) of $values are those of NumPy',
  ({ values, mean: expected, stdev }) => {
    near(mean(values) ?? undefined, expected);
    near(standardDeviation(values) ?? undefined, stdev);
  },
);

test('an empty list has no mean, and one value has no standard deviation', () => {
  expect(mean([])).toBeNull();
  expect(sampleVariance([3])).toBeNull();
  expect(standardDeviation([])).toBeNull();
});

test.each(scipy.student)("Student's t = $t at $df degrees of freedom is that of SciPy", (row) => {
  near(twoSidedP(row.t, row.df), row.two_sided);
  near(studentQuantile(row.quantile_of, row.df), row.quantile);
});

test('a quantile outside (0, 1) is refused', () => {
  expect(() => studentQuantile(1, 5)).toThrow('got 1 and 5');
});

test.each(scipy.welch)(
  "Welch's test at $level with t = $t is that of SciPy",
  ({ old, new: now, level, ...expected }) => {
    const result = welchTest(old, now, level);
    near(result?.difference, expected.difference);
    near(result?.t, expected.t);
    near(result?.df, expected.df);
    near(result?.p, expected.p);
    near(result?.interval.lo, expected.lo);
    near(result?.interval.hi, expected.hi);
  },
);

test("Welch's test of values without spread, or of one value, is null", () => {
  expect(welchTest([2, 2, 2], [3, 3])).toBeNull();
  expect(welchTest([0.3, 0.1 + 0.2], [0.6, 0.2 + 0.4])).toBeNull();
  expect(welchTest([2], [3, 4, 5])).toBeNull();
});

test.each(scipy.paired)(
  'the paired t-test at $level with t = $t is that of SciPy',
  ({ old, new: now, level, ...expected }) => {
    const result = pairedTTest(
      now.map((value, index) => value - (old[index] as number)),
      level,
    );
    near(result?.t, expected.t);
    near(result?.df, expected.df);
    near(result?.p, expected.p);
    near(result?.interval.lo, expected.lo);
    near(result?.interval.hi, expected.hi);
  },
);

test('the paired t-test of equal differences is null', () => {
  expect(pairedTTest([1, 1, 1])).toBeNull();
  // 0.3 and 0.1 + 0.2 are the same number except for rounding.
  expect(pairedTTest([0.3, 0.1 + 0.2, 0.3])).toBeNull();
});

test.each(scipy.mcnemar)(
  "McNemar's p of $broken broken and $mended mended tasks is that of statsmodels",
  ({ broken, mended, p }) => {
    near(mcnemarP(broken, mended), p);
  },
);

test("McNemar's p is 1 if the versions never disagree; numbers that are not counts are refused", () => {
  expect(mcnemarP(0, 0)).toBe(1);
  expect(() => mcnemarP(1.5, 2)).toThrow('got 1.5 and 2');
  expect(() => mcnemarP(-1, 2)).toThrow('got -1 and 2');
});

test('5 discordant tasks are never significant at 0.05, 6 only if all go one way, 12 at two against ten', () => {
  // By hand: 2 / 2^5 = 0.0625; 2 / 2^6 = 0.031 and 14 / 64 = 0.22; 2 (1 + 12 + 66) / 4096 = 0.039 and 2
  // (79 + 220) / 4096 = 0.146.
  expect(mcnemarSmallestDifference(5, 0.05)).toBeNull();
  expect(mcnemarSmallestDifference(6, 0.05)).toBe(6);
  expect(mcnemarSmallestDifference(12, 0.05)).toBe(8);
});

test.each(scipy.holm)('Holm adjusts $p as statsmodels does', ({ p, adjusted }) => {
  for (const [index, value] of holmAdjusted(p).entries()) near(value ?? undefined, adjusted[index] as number);
});

test('a test that was not possible is not a member of the family', () => {
  expect(holmAdjusted([null, 0.02, null, 0.5])).toEqual([null, 0.04, null, 0.5]);
});
