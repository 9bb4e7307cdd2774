import { describe, expect, test } from 'vitest';
import { uniform } from '../../../domain/random.ts';
import { averageInterval } from '../../../domain/statistics/intervals/average-interval.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { groupPermutation } from '../../../domain/statistics/tests/group-permutation.ts';
import {
  correlationScale,
  jackknifeInterval,
  logScale,
  plainScale,
} from '../../../domain/statistics/intervals/jackknife.ts';
import { kendall } from '../../../domain/statistics/ranks/kendall.ts';
import { pearsonR } from '../../../domain/statistics/ranks/pearson.ts';
import { spearmanRho } from '../../../domain/statistics/ranks/spearman.ts';
import { mean, sampleVariance } from '../../../domain/statistics/spread.ts';

const draws = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 200);
/** 93 % minus three standard errors of this many draws. */
const leastCovered = 0.93 - 3 * Math.sqrt((0.93 * 0.07) / draws);
const normal = (next: () => number): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

test('for a mean it is the Student interval: 1, 2, 3, 6 gives 3 ± 3.182 · sqrt(14/3/4)', () => {
  const found = jackknifeInterval([1, 2, 3, 6], mean, { scale: plainScale, bounds: { lo: -100, hi: 100 } });
  const half = 3.182446305284263 * Math.sqrt(14 / 3 / 4);
  expect(found?.lo).toBeCloseTo(3 - half, 9);
  expect(found?.hi).toBeCloseTo(3 + half, 9);
});

test('around the statistic and around it less its bias: of (sum / n) squared of 1, 2, 3, 6', () => {
  // By hand: 9, and without each of them (11/3)^2, (10/3)^2, 9, 4.
  const left = [(11 / 3) ** 2, (10 / 3) ** 2, 9, 4];
  const centre = left.reduce((sum, one) => sum + one, 0) / 4;
  const half = 3.182446305284263 * Math.sqrt((3 / 4) * left.reduce((sum, one) => sum + (one - centre) ** 2, 0));
  const found = jackknifeInterval([1, 2, 3, 6], (some) => (mean(some) as number) ** 2, {
    scale: plainScale,
    bounds: { lo: -100, hi: 100 },
  });
  const corrected = 9 - 3 * (centre - 9);
  expect(corrected).toBeLessThan(9);
  expect(found?.lo).toBeCloseTo(corrected - half, 9);
  expect(found?.hi).toBeCloseTo(9 + half, 9);
});

test('around it less its bias on its own range: none on the scale of roots, s² / n on its own', () => {
  // Of 11, 12, 13, 16: mean 13, s² 14/3; the jackknife takes s² / n off the squared mean exactly (Quenouille 1956).
  const options = { scale: { to: Math.sqrt, from: (root: number) => root ** 2 }, bounds: { lo: 0, hi: 1000 } };
  const squared = (some: readonly number[]): number => (mean(some) as number) ** 2;
  const half = 3.182446305284263 * Math.sqrt(14 / 3 / 4);
  const found = jackknifeInterval([11, 12, 13, 16], squared, { ...options, ownBias: true });
  expect(found?.lo).toBeCloseTo((Math.sqrt(169 - 14 / 3 / 4) - half) ** 2, 9);
  expect(found?.hi).toBeCloseTo((13 + half) ** 2, 9);
  expect(jackknifeInterval([11, 12, 13, 16], squared, options)?.lo).toBeCloseTo((13 - half) ** 2, 9);
  // Bias-corrected it would be 167.8, below its range.
  const bounded = { ...options, bounds: { lo: 168, hi: 1000 }, ownBias: true, level: 1e-12 };
  expect(jackknifeInterval([11, 12, 13, 16], squared, bounded)?.lo).toBeCloseTo(168, 6);
});

test('it is never empty: equal values allow for unobserved clusters', () => {
  const found = jackknifeInterval([0.5, 0.5, 0.5, 0.5], mean, { scale: plainScale, bounds: { lo: 0, hi: 1 } });
  const unseen = 1 - 0.025 ** 0.25;
  expect(found).toEqual({ lo: expect.closeTo(0.5 * (1 - unseen), 12), hi: expect.closeTo(0.5 + 0.5 * unseen, 12) });
  expect(jackknifeInterval([1, 2], mean, { scale: plainScale, bounds: { lo: 0, hi: 3 } })).toBeNull();
  expect(jackknifeInterval([1, 2, 3], () => null, correlationScale)).toBeNull();
  // Without the third value there is no variation.
  expect(jackknifeInterval([1, 1, 2], (some) => (new Set(some).size > 1 ? 0.3 : null), correlationScale)).toEqual({
    lo: -1,
    hi: 1,
  });
});

describe.each([0, 0.5, 0.9, 0.99])('correlations of normal pairs at %s', (rho) => {
  const statistics = {
    pearson: { of: pearsonR, truth: rho },
    spearman: { of: spearmanRho, truth: (6 / Math.PI) * Math.asin(rho / 2) },
    kendall: {
      of: (x: readonly number[], y: readonly number[]) => kendall(x, y).statistic,
      truth: (2 / Math.PI) * Math.asin(rho),
    },
  };
  test.each([5, 20, 60])('of %i pairs lie in their intervals', (n) => {
    const next = uniform(n);
    const covered = { pearson: 0, spearman: 0, kendall: 0 };
    for (let draw = 0; draw < draws; draw += 1) {
      const pairs = Array.from({ length: n }, () => {
        const first = normal(next);
        return [first, rho * first + Math.sqrt(1 - rho ** 2) * normal(next)] as const;
      });
      for (const [name, { of, truth }] of Object.entries(statistics)) {
        const found = jackknifeInterval(
          pairs,
          (some) =>
            of(
              some.map(([x]) => x),
              some.map(([, y]) => y),
            ),
          correlationScale,
        );
        if (found !== null && found.lo <= truth && truth <= found.hi) covered[name as keyof typeof covered] += 1;
      }
    }
    for (const [name, count] of Object.entries(covered))
      expect([name, count / draws]).toEqual([name, expect.toSatisfy((share: number) => share >= leastCovered)]);
  });
});

test.each([5, 20, 60, 164])('the variance of %i shares lies in its interval', (n) => {
  const next = uniform(n);
  // |difference| of two uniform values: variance 1 / 18.
  const held = Array.from({ length: draws }, () => {
    const found = jackknifeInterval(
      Array.from({ length: n }, () => Math.abs(next() - next())),
      sampleVariance,
      { scale: logScale, bounds: { lo: 0, hi: 0.5 } },
    );
    return found !== null && found.lo <= 1 / 18 && 1 / 18 <= found.hi;
  });
  expect(held.filter(Boolean).length / draws).toBeGreaterThanOrEqual(leastCovered);
});

describe('an average over columns', () => {
  test('of one column is the interval of its mean', () => {
    const values = [0.2, 0.4, 0.9];
    const whole = boundedMeanInterval(values, { lo: 0, hi: 1 });
    const found = averageInterval(
      values.map((value) => [value]),
      { lo: 0, hi: 1 },
    );
    expect(found?.lo).toBeCloseTo(whole?.lo ?? 0, 9);
    expect(found?.hi).toBeCloseTo(whole?.hi ?? 0, 9);
    expect(averageInterval([], { lo: 0, hi: 1 })).toBeNull();
    expect(averageInterval([[1, null]], { lo: 0, hi: 1 })).toBeNull();
  });

  test.each([5, 20, 60, 164])('covers the true value with %i tasks, of which some are missing in columns', (n) => {
    const next = uniform(n);
    const held = Array.from({ length: draws }, () => {
      const tasks = Array.from({ length: n }, (_, task) => {
        const ease = next();
        return [0.9, 0.7, 0.5].map((chance, column) =>
          task > 2 && next() < 0.1 * column ? null : Number(next() < (chance + ease) / 2),
        );
      });
      const found = averageInterval(tasks, { lo: 0, hi: 1 });
      return found !== null && found.lo <= 0.6 && 0.6 <= found.hi;
    });
    expect(held.filter(Boolean).length / draws).toBeGreaterThanOrEqual(leastCovered);
  });
});

describe('groups of models', () => {
  const options = { alpha: 0.05, seed: 1 };
  test('three models of three families: no p can be below 1', () => {
    expect(groupPermutation([[0.1], [0.5], [0.9]], options)).toEqual({
      ...{ p: null, leastP: 1, n: 3 },
      reason: 'cannot be tested: of 3 models in groups of 1, 1, 1 the smallest possible p is 1, above 0.05',
    });
  });
  test('three against three: 2 of 20 ways lie as far apart, so nothing can be significant at 0.05', () => {
    expect(
      groupPermutation(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        options,
      ),
    ).toMatchObject({ p: null, leastP: 0.1 });
  });
  test('four against four apart: 2 of 70; with one pair swapped: 4 of 70', () => {
    expect(
      groupPermutation(
        [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
        options,
      ).p,
    ).toBeCloseTo(2 / 70, 12);
    expect(
      groupPermutation(
        [
          [1, 2, 3, 5],
          [4, 6, 7, 8],
        ],
        options,
      ).p,
    ).toBeCloseTo(4 / 70, 12);
  });
  test('random and complete enumeration agree', () => {
    // 16 models: 12,870 ways are counted; 18: 48,620 are drawn. Apart, the share is 2 of all.
    const models = (n: number) => Array.from({ length: n }, (_, index) => index);
    expect(groupPermutation([models(8), models(8).map((value) => value + 0.5)], options).p).toBeGreaterThan(0.6);
    expect(groupPermutation([models(9), models(9).map((value) => value + 0.5)], options).p).toBeGreaterThan(0.6);
    expect(groupPermutation([models(9), models(9).map((value) => value + 20)], options).p).toBeLessThan(0.001);
  });
  test('it holds its level if models differ and groups do not', () => {
    const next = uniform(3);
    const alarms = Array.from(
      { length: 400 },
      () =>
        groupPermutation(
          [0, 1].map(() => Array.from({ length: 5 }, next)),
          options,
        ).p ?? 1,
    );
    expect(alarms.filter((p) => p <= 0.05).length / 400).toBeLessThan(0.083);
  });
  test('a single group cannot be tested', () =>
    expect(groupPermutation([[1, 2]], options).reason).toContain('fewer than two groups'));
});
