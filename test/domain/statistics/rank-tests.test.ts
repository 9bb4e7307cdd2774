import { expect, test } from 'vitest';
import { agreement } from '../../../domain/statistics/agreement.ts';
import { benjaminiHochberg } from '../../../domain/statistics/tests/benjamini-hochberg.ts';
import { cliffsDelta } from '../../../domain/statistics/tests/cliffs-delta.ts';
import { kendall } from '../../../domain/statistics/ranks/kendall.ts';
import { kolmogorovSmirnov } from '../../../domain/statistics/tests/kolmogorov-smirnov.ts';
import { epsilonSquared, kruskalWallis } from '../../../domain/statistics/tests/kruskal-wallis.ts';
import { mannWhitney } from '../../../domain/statistics/tests/mann-whitney.ts';
import { completePairs } from '../../../domain/statistics/pairs.ts';
import { pearson } from '../../../domain/statistics/ranks/pearson.ts';
import { spearman } from '../../../domain/statistics/ranks/spearman.ts';
import type { TestResult } from '../../../domain/statistics/tests/test-result.ts';
import published from '../../../data/published/promptse.json' with { type: 'json' };
import scipy from '../../fixtures/scipy/tests.json' with { type: 'json' };

function expectLike({ statistic, p, reason }: TestResult, expected: readonly (number | null)[]): void {
  if (expected[0] == null) {
    expect([statistic, p, reason]).toEqual([null, null, expect.any(String)]);
    return;
  }
  expect(statistic).toBeCloseTo(expected[0], 9);
  if (expected[1] != null) expect(p).toBeCloseTo(expected[1], 9);
}

test("Pearson, Spearman and Kendall are SciPy's, with ties, two pairs and a constant side", () => {
  for (const { x, y, ...expected } of scipy.pairs) {
    expectLike(pearson(x, y), expected.pearson);
    expectLike(spearman(x, y), expected.spearman);
    expectLike(kendall(x, y), expected.kendall);
  }
});

test("Kruskal-Wallis, Mann-Whitney, Cliff's delta and KS are SciPy's, with ties, single values and constants", () => {
  for (const { groups, kruskal, mann_whitney, cliff, ks } of scipy.groups) {
    const [first, second] = groups as [number[], number[]];
    expectLike(kruskalWallis(groups), kruskal);
    expectLike(mannWhitney(first, second), mann_whitney);
    expect(cliffsDelta(first, second)).toBeCloseTo(cliff, 12);
    expectLike(kolmogorovSmirnov(first, second), ks);
  }
});

/** Like sums of the same fractions in another order: the last bit is changed up, down or not at all. */
const rounded = (values: readonly number[], shift: number): number[] =>
  values.map((value, index) => value * (1 + (((index + shift) % 3) - 1) * Number.EPSILON));

test('values that differ only by rounding still tie: the results are those of SciPy for the exact values', () => {
  for (const { x, y, ...expected } of scipy.pairs) {
    expectLike(spearman(rounded(x, 0), rounded(y, 1)), expected.spearman);
    expectLike(kendall(rounded(x, 0), rounded(y, 1)), expected.kendall);
  }
  for (const { groups, kruskal, mann_whitney, cliff, ks } of scipy.groups) {
    const noisy = groups.map(rounded);
    const [first, second] = noisy as [number[], number[]];
    expectLike(kruskalWallis(noisy), kruskal);
    expectLike(mannWhitney(first, second), mann_whitney);
    expect(cliffsDelta(first, second)).toBeCloseTo(cliff, 12);
    expectLike(kolmogorovSmirnov(first, second), ks);
  }
});

test('pairs with a missing value are omitted, as SciPy omits NaN', () => {
  for (const { x, y, ...expected } of scipy.missing) {
    const [first, second] = completePairs(x, y);
    expectLike(pearson(first, second), expected.pearson);
    expectLike(spearman(first, second), expected.spearman);
    expectLike(kendall(first, second), expected.kendall);
  }
});

test("Benjamini and Hochberg's corrected p are SciPy's", () => {
  for (const { p, bh } of scipy.corrected)
    for (const [index, value] of benjaminiHochberg(p).entries()) expect(value).toBeCloseTo(bh[index] as number, 12);
});

test('MAE, RMSE, R2 and sMAPE are those of NumPy', () => {
  for (const { x, y, agreement: expected } of scipy.pairs) {
    const found = agreement(x, y);
    expect(found?.mae).toBeCloseTo(expected.mae, 12);
    expect(found?.rmse).toBeCloseTo(expected.rmse, 12);
    if (expected.r2 === null) expect(found?.r2).toBeNull();
    else expect(found?.r2).toBeCloseTo(expected.r2, 12);
    if (expected.smape !== null) expect(found?.smape).toBeCloseTo(expected.smape, 12);
  }
});

test('tests without enough values are undefined, with the reason', () => {
  expect(pearson([1], [2]).reason).toBe('fewer than two pairs');
  expect(kruskalWallis([[1], []]).reason).toBe('fewer than two groups with values');
  expect(mannWhitney([], [1]).reason).toBe('a group has no values');
  expect([cliffsDelta([], [1]), kolmogorovSmirnov([1], []).p, agreement([], [])]).toEqual([null, null, null]);
});

test('epsilon squared is 1 for fully separated groups if n is large enough: H / (n - 1)', () => {
  expect(epsilonSquared(9, 10)).toBe(1);
});

test("the paper's p of its Spearman over 14 models follows from rho", () => {
  const { spearman: rho, p, n } = published.rq1;
  // Pairs with exactly that correlation: a line and, orthogonal to it, a square.
  const line = Array.from({ length: n }, (_, index) => index - (n - 1) / 2);
  const square = line.map((value) => value ** 2);
  const mean = square.reduce((sum, value) => sum + value, 0) / n;
  const length = (values: readonly number[]): number => Math.hypot(...values);
  const [unit, other] = [line.map((value) => value / length(line)), square.map((value) => value - mean)];
  const y = unit.map(
    (value, index) => rho * value + (Math.sqrt(1 - rho ** 2) * (other[index] as number)) / length(other),
  );
  const found = pearson(line, y);
  expect(found.statistic).toBeCloseTo(rho, 9);
  expect(found.p).toBeCloseTo(p, 3);
});
