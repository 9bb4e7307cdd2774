/** Inputs that break arithmetic: constant, huge, tiny, tied and separated values, compared with exact counts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calibrationEstimate } from '../../../studies/promptse/results/calibration/calibration.ts';
import { addedVariance } from '../../../domain/statistics/added-variance.ts';
import { agreement } from '../../../domain/statistics/agreement.ts';
import { benjaminiHochberg } from '../../../domain/statistics/tests/benjamini-hochberg.ts';
import { cliffsDelta } from '../../../domain/statistics/tests/cliffs-delta.ts';
import { holmAdjusted } from '../../../domain/statistics/tests/holm.ts';
import { kendall } from '../../../domain/statistics/ranks/kendall.ts';
import { kolmogorovSmirnov } from '../../../domain/statistics/tests/kolmogorov-smirnov.ts';
import { kruskalWallis } from '../../../domain/statistics/tests/kruskal-wallis.ts';
import { mannWhitney } from '../../../domain/statistics/tests/mann-whitney.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { pairedTTest } from '../../../domain/statistics/tests/paired-t.ts';
import { pearson } from '../../../domain/statistics/ranks/pearson.ts';
import { intraclassCorrelation, kendallW } from '../../../domain/statistics/ranks/rank-agreement.ts';
import { rankChanges } from '../../../domain/statistics/ranks/rank-changes.ts';
import { scheirerRayHare } from '../../../domain/statistics/tests/scheirer-ray-hare.ts';
import { signFlipTest } from '../../../domain/statistics/tests/sign-flip.ts';
import { spearman } from '../../../domain/statistics/ranks/spearman.ts';
import { chiSquareTail } from '../../../domain/statistics/special.ts';
import { mean, standardDeviation } from '../../../domain/statistics/spread.ts';
import { studentQuantile, twoSidedP } from '../../../domain/statistics/student.ts';
import type { TestResult } from '../../../domain/statistics/tests/test-result.ts';
import { welchTest } from '../../../domain/statistics/tests/welch.ts';

const scales = [1, 1e-300, 1e-160, 1e-12, 1e12, 1e160, 1e300];

/**
 * Integers with many ties, at a scale whose squares may overflow or underflow, added to a base that may absorb them.
 */
const nasty = (least: number): fc.Arbitrary<number[]> =>
  fc
    .tuple(
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: least, maxLength: 25 }),
      fc.constantFrom(...scales),
      fc.constantFrom(0, 1, 1e15),
      fc.boolean(),
    )
    .map(([whole, scale, base, constant]) =>
      whole.map((value) => ((scale > 1e200 ? 0 : base) + (constant ? 1 : value)) * scale),
    );

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** No p is below `least`, the smallest possible for data of that size, and no number is NaN. */
function expectSound({ statistic, p, reason }: TestResult, least: number, range = [-1, 1]): void {
  if (reason !== null) return;
  expect(statistic).toBeGreaterThanOrEqual(range[0] as number);
  expect(statistic).toBeLessThanOrEqual(range[1] as number);
  expect(p).toBeGreaterThanOrEqual(least * (1 - 1e-9));
  expect(p).toBeLessThanOrEqual(1);
}

test('correlations: r within -1 and 1, p never below 2 / n! (Pearson: 1 / n!), whatever the scale', () => {
  fc.assert(
    fc.property(nasty(1), nasty(1), (long, other) => {
      const n = Math.min(long.length, other.length);
      const [x, y] = [long.slice(0, n), other.slice(0, n)];
      for (const test of [spearman, kendall]) expectSound(test(x, y), Math.min(1, 2 / factorial(n)));
      // Uneven values turned round are not as clear as the order they had:
      // x = -1, 1, -2 and y = 0, -2, 1 has no second.
      expectSound(pearson(x, y), 1 / factorial(n));
    }),
  );
});

test('Pearson is the same at every scale', () => {
  const [x, y] = [
    [1, 2, 4, 3, 6, 5, 9, 7, 8, 20],
    [2, 1, 3, 5, 4, 9, 6, 8, 7, 0],
  ];
  const plain = pearson(x, y);
  for (const scale of [2 ** 530, 2 ** 900, 2 ** -530, 2 ** -900]) {
    const scaled = pearson(
      x.map((value) => value * scale),
      y.map((value) => value * scale),
    );
    expect(scaled.statistic).toBeCloseTo(plain.statistic ?? Number.NaN, 14);
    expect(scaled.p).toBeCloseTo(plain.p ?? Number.NaN, 14);
  }
});

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

test('rank tests of groups: p between the smallest possible and 1', () => {
  fc.assert(
    fc.property(nasty(1), nasty(1), nasty(1), (a, b, c) => {
      const least = 1 / choose(a.length + b.length, Math.min(a.length, b.length));
      expectSound(mannWhitney(a, b), Math.min(1, 2 * least), [0, a.length * b.length]);
      expectSound(kolmogorovSmirnov(a, b), Math.min(1, least), [0, 1]);
      expectSound(kruskalWallis([a, b]), Math.min(1, least), [0, 100]);
      expectSound(kruskalWallis([a, b, c]), 0, [0, 100]);
      expect(Math.abs(cliffsDelta(a, b) as number)).toBeLessThanOrEqual(1);
      expectSound(signFlipTestResult(a), Math.min(1, 2 ** (1 - a.length)), [-Infinity, Infinity]);
    }),
  );
});

function signFlipTestResult(differences: readonly number[]): TestResult {
  const { difference, p, n } = signFlipTest(differences, { seed: 1, draws: 200 });
  return { statistic: difference as number, p, n, reason: null };
}

/** The exact number of orders of n1 and n2 distinct values, by U. */
function exactOrders(n1: number, n2: number, most: number): bigint[] {
  let counts = [1n, ...Array<bigint>(most).fill(0n)];
  for (let factor = 1; factor <= n1; factor += 1) {
    const times = counts.map((count, at) => count - (at >= n2 + factor ? (counts[at - n2 - factor] as bigint) : 0n));
    for (let at = factor; at <= most; at += 1) times[at] = (times[at] as bigint) + (times[at - factor] as bigint);
    counts = times;
  }
  return counts;
}

test('Mann-Whitney, eight against thousands: p is the exact share, to nine digits, however small', () => {
  for (const [n1, n2, u] of [
    [8, 3_444, 0],
    [8, 3_444, 1_000],
    [8, 3_444, 9_000],
    [5, 200, 3],
    [1, 8, 0],
    [8, 40, 150],
  ] as const) {
    // The first value of the small group stands above u of the large one, as far as they go.
    const large = Array.from({ length: n2 }, (_, index) => 10 * (index + 1));
    let left: number = u;
    const small = Array.from({ length: n1 }, (_, index) => {
      const above = Math.min(n2, left);
      left -= above;
      return 10 * above + 1 + index / 10;
    });
    const { statistic, p } = mannWhitney(small, large);
    expect(statistic).toBe(u);
    const orders = exactOrders(n1, n2, u).reduce((sum, count) => sum + count, 0n);
    let all = 1n;
    for (let factor = 1; factor <= n1; factor += 1) all = (all * BigInt(n2 + factor)) / BigInt(factor);
    const exact = Number((2n * orders * 10n ** 60n) / all) / 1e60;
    expect((p as number) / Math.min(1, exact)).toBeCloseTo(1, 9);
    expect(mannWhitney(large, small).p).toBeCloseTo(p as number, 15);
  }
});

/** scipy.stats.t.ppf(p, df), SciPy 1.17.1. */
const quantiles = [
  [1, 0.975, 12.706204736174694],
  [1, 0.9999999, 3183098.8635132452],
  [4.5, 0.975, 2.6589123472044034],
  [4.5, 0.9999999, 51.91221868549855],
  [1000, 0.975, 1.9623390808264083],
  [1000, 0.9999999, 5.23599846939222],
  [20000, 0.975, 1.9600826051581348],
  [20000, 0.9999999, 5.201160056241595],
  [99999, 0.975, 1.9599877077718442],
  [99999, 0.9999999, 5.1997019921072365],
  [100000, 0.975, 1.9599877075346095],
  [100000, 0.9999999, 5.199701988462917],
  [1000000, 0.975, 1.959966356814107],
  [1000000, 0.9999999, 5.199374020914423],
  [100000000, 0.975, 1.9599640082627663],
  [100000000, 0.9999999, 5.1993379466747065],
] as const;

test('t: huge and tiny values scale, quantiles and tails hold at many degrees of freedom (SciPy)', () => {
  for (const [df, p, quantile] of quantiles) {
    expect(studentQuantile(p, df) / quantile).toBeCloseTo(1, 8);
    expect(twoSidedP(quantile, df) / (2 * (1 - p))).toBeCloseTo(1, 6);
  }
  const [old, now] = [
    [1, 2, 4, 8, 16],
    [2, 3, 9, 7, 30, 1],
  ];
  const plain = welchTest(old, now);
  for (const scale of [2 ** 600, 2 ** -600]) {
    const times = (values: readonly number[]): number[] => values.map((value) => value * scale);
    expect(welchTest(times(old), times(now))?.p).toBeCloseTo(plain?.p ?? Number.NaN, 13);
    expect(pairedTTest(times(old))?.p).toBeCloseTo(pairedTTest(old)?.p ?? Number.NaN, 13);
    expect((mean(times(old)) as number) / scale).toBeCloseTo(6.2, 13);
    expect((standardDeviation(times(old)) as number) / scale).toBeCloseTo(standardDeviation(old) as number, 13);
  }
  fc.assert(
    fc.property(nasty(2), nasty(2), (a, b) => {
      for (const found of [welchTest(a, b), pairedTTest(a)]) {
        if (found === null) continue;
        expect(found.p).toBeGreaterThanOrEqual(0);
        expect(found.p).toBeLessThanOrEqual(1);
        expect(found.interval.lo).toBeLessThanOrEqual(found.interval.hi);
      }
    }),
  );
});

test('an outcome constant but for rounding has no test of added variance, clustered or at any scale', () => {
  for (const value of [0.1, -3, 1e-9, 1e160, 1 / 3])
    for (const n of [2, 3, 7, 16, 40, 101])
      for (const clusters of [1, 2, 5])
        for (const noise of [0, Number.EPSILON]) {
          const outcome = Array.from({ length: n }, (_, row) => value * (1 + (row % 3 === 1 ? noise : 0)));
          const varied = { name: 'varied', values: outcome.map((_, row) => Math.sin(row)) };
          const found = addedVariance(
            outcome,
            [],
            [varied],
            outcome.map((_, row) => String(row % clusters)),
          );
          expect(found.reason).toBe('the outcome is constant');
        }
});

test('added variance of any data has a reason, or p and shares between 0 and 1', () => {
  const rows = fc.integer({ min: 1, max: 24 });
  fc.assert(
    fc.property(rows, nasty(24), nasty(24), nasty(24), fc.integer({ min: 1, max: 6 }), (n, a, b, c, clusters) => {
      const cut = (values: readonly number[]): number[] =>
        Array.from({ length: n }, (_, row) => values[row % values.length] as number);
      const found = addedVariance(
        cut(a),
        [{ name: 'b', values: cut(b) }],
        [{ name: 'c', values: cut(c).map((value, row) => value * (1 + row)) }],
        cut(a).map((_, row) => String(row % clusters)),
      );
      if (found.reason !== null) return;
      expect(found.f?.p ?? 0).toBeGreaterThanOrEqual(0);
      expect(found.f?.p ?? 0).toBeLessThanOrEqual(1);
      expect(found.r2).toBeLessThanOrEqual(1 + 1e-9);
      for (const { p, standardError } of found.effects) {
        if (p === null) continue;
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(standardError).toBeGreaterThan(0);
      }
    }),
  );
});

test('an outcome determined by the variables has no test, rather than one with p = 0', () => {
  const x = Array.from({ length: 12 }, (_, row) => row / 7);
  const outcome = x.map((value) => 3 * value + 0.1);
  const clusters = x.map((_, row) => String(row % 4));
  const found = addedVariance(outcome, [], [{ name: 'x', values: x }], clusters);
  expect(found).toMatchObject({ f: null, deltaR2: expect.closeTo(1, 12), effects: [{ coefficient: null, p: null }] });
});

test('agreement, W, ICC and the interaction of ranks: numbers within their ranges at every scale, or null', () => {
  fc.assert(
    fc.property(nasty(4), nasty(4), (long, other) => {
      const n = Math.min(long.length, other.length);
      const [x, y] = [long.slice(0, n), other.slice(0, n)];
      const found = agreement(x, y);
      for (const value of [found?.mae, found?.rmse, found?.smape]) expect(value).toBeGreaterThanOrEqual(0);
      expect(found?.r2 ?? 0).toBeLessThanOrEqual(1);
      expect(found?.rmse).toBeLessThan(Infinity);
      const w = kendallW([x, y]) ?? 0;
      expect(w).toBeGreaterThanOrEqual(0);
      expect(w).toBeLessThanOrEqual(1);
      const icc = intraclassCorrelation([x, y]);
      for (const value of [icc?.agreement ?? 0, icc?.consistency ?? 0]) expect(value).toBeLessThanOrEqual(1 + 1e-9);
      const crossed = x.map((value, row) => ({ first: String(row % 2), second: String(row % 3), value }));
      expectSound(scheirerRayHare(crossed), 0, [0, n]);
    }),
  );
});

test('adjusted p-values stay between their own p and 1', () => {
  const ps = fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1e-300, null)), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(ps, (p) => {
      for (const adjusted of [holmAdjusted(p), benjaminiHochberg(p)])
        for (const [index, value] of adjusted.entries()) {
          if (value === null) continue;
          expect(value).toBeGreaterThanOrEqual((p[index] as number) * (1 - 1e-12));
          expect(value).toBeLessThanOrEqual(1);
        }
    }),
  );
});

test('McNemar counts as exactly for a million tasks as for ten', () => {
  // binom.cdf of SciPy 1.17.1, doubled.
  for (const [broken, mended, p] of [
    [10, 30, 2 * 0.0011107168866146822],
    [49_000, 51_000, 2 * 1.2943580191734472e-10],
    [0, 1_000, 2 * 9.332636185032189e-302],
  ] as const)
    expect(mcnemarP(broken, mended) / p).toBeCloseTo(1, 8);
});

test('two hundred thousand cells, models or values do not overflow the stack', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => index);
  const bins = many.map((index) => ({
    task: String(index % 50),
    bin: index % 10,
    n: 1,
    confidence: 0.5,
    passed: index % 2,
  }));
  expect(calibrationEstimate(bins, { seed: 1, resamples: 2 })?.n).toBe(200_000);
  expect(rankChanges(many.slice(0, 100), many.slice(0, 100).toReversed()).highestRise).toBe(99);
  expect(mannWhitney(many, many).p).toBe(1);
  expect(kolmogorovSmirnov(many, many).p).toBe(1);
  expect(spearman(many, many).statistic).toBe(1);
});

test.each([1, 2, 5, 40, 500])(
  'chi-square tails of %i degrees of freedom fall to the smallest number, and never fail',
  (degrees) => {
    const tails = [0, 1, 50, 500, 1000, 1400, 1420, 1450, 1500, 1e4, 1e6, 1e300].map((x) => chiSquareTail(degrees, x));
    expect(tails.every((tail, index) => tail > 0 && tail <= (tails[index - 1] ?? 1))).toBe(true);
  },
);

test('fully separated groups of 20,000 values have a p above 0', () => {
  const apart = [0, 1].map((group) => Array.from({ length: 20_000 }, (_, value) => group * 1e6 + value));
  const { statistic, p } = kruskalWallis(apart);
  // By hand: rank sums n² / 2 and 3 n² / 2 nearly, H = 3 N / 4.
  expect(statistic).toBeCloseTo(30_000, -2);
  expect(p).toBeGreaterThan(0);
  expect(p).toBeLessThan(1e-300);
});
