import { expect, test } from 'vitest';
import { comparePairs, type PairOptions } from '../../../domain/compare/pairs.ts';
import { standingsOf } from '../../../domain/compare/standings.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { fisherExactP } from '../../../domain/statistics/tests/fisher-exact.ts';
import scipy from '../../fixtures/statsmodels/compare.json' with { type: 'json' };

const options: PairOptions = {
  direction: 'higher',
  range: { kind: 'bounded', lo: 0, hi: 100 },
  margin: 0,
  alpha: 0.05,
  seed: 7,
};
const close = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  for (const [index, value] of expected.entries())
    expect(Math.abs((found[index] as number) - value)).toBeLessThan(1e-9);
};

test.each([
  { name: 'passed or failed', method: 'mcnemar_exact', range: options.range, of: scipy.binary },
  { name: 'shares of four answers', method: 'sign_flip', range: options.range, of: scipy.shares },
  { name: 'real numbers', method: 'sign_flip', range: { kind: 'assumed', least: 1 } as const, of: scipy.real },
])('p, Holm and Benjamini-Hochberg equal statsmodels: $name', ({ method, range, of }) => {
  const found = comparePairs(of.values, { ...options, range });
  expect(new Set(found.map((pair) => pair.method))).toEqual(new Set([method]));
  close(
    found.map(({ p }) => p),
    of.p,
  );
  close(
    found.map(({ pHolm }) => pHolm),
    of.holm,
  );
  close(
    found.map(({ pBh }) => pBh),
    of.bh,
  );
});

/**
 * Two models on 378 tasks, with i² / M of i loops of M = 10. The expected p are NumPy's, from a table of all sums:
 * `sign-flip.test.ts` says how. Red before: 0.0001, since signs were drawn at random.
 */
test('p of two models has no floor', () => {
  const loops = (of: (task: number) => number): number[] =>
    Array.from({ length: 378 }, (_, place) => of(place + 1) ** 2 / 10);
  const values = [loops((task) => (task * 37) % 11), loops((task) => (task * task * 29) % 9)];
  const [pair] = comparePairs(values, { ...options, range: { kind: 'bounded', lo: 0, hi: 10 } });
  expect((pair?.p as number) / 4.738331660344326e-11).toBeCloseTo(1, 9);
  // 60 differences without a common step, counted in fine steps.
  const high = Array.from({ length: 60 }, (_, place) => (((place + 1) * 7_919) % 10_007) - 3_500);
  const [real] = comparePairs([high, high.map(() => 0)], {
    ...options,
    range: { kind: 'assumed', least: 10_007 },
  });
  expect(Math.abs((real?.p as number) / 3.199560588199035e-5 - 1)).toBeLessThan(0.002);
});

test('a verdict claims a difference exactly if Holm allows it, in the direction of the metric', () => {
  const higher = comparePairs(scipy.binary.values, options);
  const lower = comparePairs(scipy.binary.values, { ...options, direction: 'lower' });
  const verdicts = new Set(higher.map(({ verdict }) => verdict));
  expect(verdicts).toEqual(new Set(['worse', 'inconclusive']));
  for (const [index, { verdict, pHolm, difference, better, worse }] of higher.entries()) {
    expect(verdict === 'inconclusive').toBe(pHolm > 0.05);
    const turned = lower[index];
    expect(turned).toMatchObject({ difference, better: worse, worse: better });
    expect(turned?.verdict).toBe(verdict === 'worse' ? 'better' : verdict);
  }
});

test('the interval is that of Gaffke over the differences, from -100 to 100 points', () => {
  const [first = [], second = []] = scipy.shares.values;
  const changes = first.map((value, task) => value - (second[task] as number));
  const [pair] = comparePairs([first, second], options);
  expect(pair?.interval).toEqual(boundedMeanInterval(changes, { lo: -100, hi: 100 }));
});

// Red before: tasks without a judged answer counted as won or lost by their stand-in, the mean.
test('tasks that a model is better on are those judged on both sides, by what they have themselves', () => {
  const [pair] = comparePairs(
    [
      [100, 0, 50, 100],
      [0, 0, 100, 50],
    ],
    options,
    null,
    {
      own: [
        [100, 0, null, 100],
        [0, 0, 100, null],
      ],
    },
  );
  expect(pair).toMatchObject({ difference: 25, better: 1, worse: 0 });
});

// Red before: one letter for both, and ranks 1 (1 - 1) and 2 (2 - 2).
test('models whose difference is within the margin share letters and places', () => {
  const first = Array.from({ length: 164 }, (_, task) => (task < 145 ? 100 : 0));
  const second = Array.from({ length: 164 }, (_, task) => (task < 135 ? 100 : 0));
  const placed = (margin: number) =>
    standingsOf({ values: [first, second] }, comparePairs([first, second], { ...options, margin }), options).map(
      ({ letters, rankInterval: { lo, hi } }) => [letters, lo, hi],
    );
  expect(placed(15)).toEqual([
    ['a', 1, 2],
    ['a', 1, 2],
  ]);
  expect(placed(0)).toEqual([
    ['a', 1, 1],
    ['b', 2, 2],
  ]);
});

test('equal models are inconclusive without a margin, and within a margin that 400 tasks can decide', () => {
  const passed = Array.from({ length: 400 }, (_, task) => (task % 2 === 0 ? 100 : 0));
  const verdictAt = (margin: number) => comparePairs([passed, passed], { ...options, margin })[0]?.verdict;
  expect([verdictAt(0), verdictAt(5)]).toEqual(['inconclusive', 'no_change']);
});

test('within a margin is a claim about the family: with more pairs the same tasks no longer decide it', () => {
  const passed = Array.from({ length: 100 }, () => 100);
  const verdictOf = (models: number) =>
    comparePairs(
      Array.from({ length: models }, () => passed),
      { ...options, margin: 4 },
    )[0]?.verdict;
  // No task of n changed: the bound is 1 - 0.025^(1/n) for one pair, 3.6 points; for 10 pairs 1 - 0.0025^(1/n), 5.8.
  expect([verdictOf(2), verdictOf(5)]).toEqual(['no_change', 'inconclusive']);
});

test('times are compared as ratios: twice as fast on every task is -50 %', () => {
  const slow = Array.from({ length: 12 }, (_, task) => Math.log(10 * (task + 1)));
  const fast = slow.map((value) => value - Math.log(2));
  const [pair] = comparePairs([fast, slow], { ...options, direction: 'lower', range: { kind: 'logTime' } });
  expect(pair?.difference).toBeCloseTo(-50, 9);
  // All 12 signs alike.
  expect(pair?.p).toBeCloseTo(2 / 2 ** 12, 12);
  expect(pair).toMatchObject({ verdict: 'better', better: 12, worse: 0 });
});

test('without shared tasks there are no pairs', () => {
  expect(comparePairs([[], []], options)).toEqual([]);
});

test("Fisher's exact test equals SciPy", () => {
  const found = scipy.fisher.map(([passedA = 0, nA = 0, passedB = 0, nB = 0]) =>
    fisherExactP(passedA, nA, passedB, nB),
  );
  close(
    found,
    scipy.fisher.map(([, , , , p = Number.NaN]) => p),
  );
});

// Red before: 0.14, 0.28 and 0.31 points, which the test finds in 7, 49 and 59 % of cases.
test.each([1, 4, 5])('%i of 400 tasks differ by one answer of five: no smallest difference is known', (differing) => {
  const passed = Array.from({ length: 400 }, () => 100);
  const failing = passed.map((value, task) => (task < differing ? value - 20 : value));
  const [pair] = comparePairs([passed, failing], options);
  expect(pair).toMatchObject({ method: 'sign_flip', p: 2 ** (1 - differing), smallestEffect: null });
});
