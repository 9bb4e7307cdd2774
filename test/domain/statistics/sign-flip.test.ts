import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { countedSignFlipP, signFlipTest } from '../../../domain/statistics/tests/sign-flip.ts';

const seed = seedOf('sign flips');

/** All ways to set the signs of integers, counted exactly. */
function countedP(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  const ways = 2 ** differences.length;
  let asFar = 0;
  for (let way = 0; way < ways; way += 1) {
    const sum = differences.reduce((total, value, place) => total + (way & (1 << place) ? value : -value), 0);
    if (Math.abs(sum) >= observed) asFar += 1;
  }
  return asFar / ways;
}

test('p counts every way to set the signs, whatever the step and the scale', () => {
  const differences = fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 11 });
  fc.assert(
    fc.property(differences, fc.constantFrom(1, 1 / 3, 0.1, 1e-200, 1e200, Math.PI), (whole, scale) => {
      const { p, exact, n } = signFlipTest(
        whole.map((value) => value * scale),
        { seed },
      );
      expect(p).toBeCloseTo(countedP(whole), 12);
      expect([exact, n]).toEqual([true, whole.length]);
    }),
  );
});

/**
 * Without a common step up to 256. SciPy 1.17.1 lists all ways for 17 and 20 pairs:
 * permutation_test((d / 10007,), lambda x, axis: x.mean(axis), permutation_type='samples', n_resamples=numpy.inf,
 * vectorized=True, batch=4096).pvalue with d = numpy.array([i * 7919 % 10007 - less for i in range(1, n + 1)]).
 * The others are NumPy's, from a table of all sums to which each abs(d) is added with probability 1/2; for 17 and 20
 * pairs it gives the same.
 */
const withoutStep = (n: number, less: number): number[] =>
  Array.from({ length: n }, (_, place) => ((((place + 1) * 7_919) % 10_007) - less) / 10_007);

// Red before: above 16 pairs at least 0.0001, from random signs.
test.each([
  { n: 17, less: 3_000, expected: 0.0040283203125 },
  { n: 20, less: 2_500, expected: 0.001224517822265625 },
  { n: 20, less: 800, expected: 1.1444091796875e-5 },
  { n: 24, less: 2_500, expected: 0.00025010108947753906 },
  { n: 32, less: 2_500, expected: 8.173752576112747e-6 },
  { n: 32, less: 800, expected: 2.7939677238464355e-9 },
])('all signs of $n differences without a common step are counted: $expected', ({ n, less, expected }) => {
  const { p, exact } = signFlipTest(withoutStep(n, less), { seed });
  expect((p as number) / expected).toBeCloseTo(1, 12);
  expect(exact).toBe(true);
  expect(countedSignFlipP(withoutStep(n, less), 'fine')).toBe(p);
});

test.each([
  { n: 33, less: 2_500, expected: 1.4164252206683159e-5 },
  { n: 60, less: 3_500, expected: 3.199560588199035e-5 },
  { n: 60, less: 2_000, expected: 1.527512664967201e-11 },
  { n: 164, less: 3_500, expected: 2.1502169801902012e-10 },
  { n: 378, less: 4_000, expected: 8.619909888968259e-11 },
])('where nothing is drawn, p of $n differences is $expected within 1 %, or 4 % in 256 steps', (one) => {
  const differences = withoutStep(one.n, one.less);
  expect(Math.abs((countedSignFlipP(differences, 'fine') as number) / one.expected - 1)).toBeLessThan(0.01);
  expect(Math.abs((countedSignFlipP(differences, 'coarse') as number) / one.expected - 1)).toBeLessThan(0.04);
  expect(signFlipTest(differences, { seed })).toMatchObject({ p: 0.0001, exact: false });
});

test('one difference far above all others does not hide them', () => {
  // 40 differences of about 1 and one of 1,000: the sign of the large one decides, and only half of all ways go up.
  const differences = [1_000, ...Array.from({ length: 40 }, (_, place) => 1 + Math.sin(place) / 7)];
  const without = countedSignFlipP(differences.slice(1), 'fine') as number;
  expect(without).toBeCloseTo(2 / 2 ** 40, 15);
  // All others must agree with it, too: two ways of 2 ** 41.
  expect((countedSignFlipP(differences, 'fine') as number) * 2 ** 40).toBeCloseTo(1, 9);
});

test('rounded to 256ths of the largest, all ways are counted; the p of such values is exact', () => {
  const differences = [256, -101, 77, 3, 250, 199, -31, 90, 127, 64, -5, 211, 148, -9, 33, 172, 58, -120, 18, 1, 44];
  // No step is common to them, and they are too many to try all signs as they are.
  const between = differences.map((value, place) => value + 0.4 * Math.sin(place));
  expect(countedSignFlipP(between, 'coarse')).toBeCloseTo(countedP(differences), 12);
  expect(countedSignFlipP(between, 'fine')).toBeCloseTo(countedP(between), 12);
});

test('for differences of 1, 0 and -1 it is the exact McNemar test, even for thousands of tasks', () => {
  for (const [broken, mended, alike] of [
    [5, 0, 3],
    [12, 3, 149],
    [400, 500, 3000],
    [0, 60, 0],
  ] as const) {
    const differences = [
      ...Array<number>(broken).fill(-1),
      ...Array<number>(mended).fill(1),
      ...Array<number>(alike).fill(0),
    ];
    const { p, exact } = signFlipTest(differences, { seed });
    expect((p as number) / mcnemarP(broken, mended)).toBeCloseTo(1, 9);
    expect(exact).toBe(true);
  }
});

test('with many pairs p is from random swaps: near the exact p, never 0, and the same each time', () => {
  const random = uniform(seedOf('many pairs'));
  const differences = Array.from({ length: 40 }, () => random() - 0.4);
  const first = signFlipTest(differences, { seed });
  expect(first).toEqual(signFlipTest(differences, { seed }));
  expect(first.exact).toBe(false);
  // The normal approximation of the same test.
  const sum = differences.reduce((total, value) => total + value, 0);
  const z = sum / Math.sqrt(differences.reduce((total, value) => total + value ** 2, 0));
  expect(z).toBeGreaterThan(1);
  expect(Math.abs((first.p as number) - 2 * (1 - phi(z)))).toBeLessThan(0.02);
  const separated = Array.from({ length: 40 }, () => 1 + random());
  expect(signFlipTest(separated, { seed, draws: 999 }).p).toBe(0.001);
});

/** Standard normal distribution function, Zelen and Severo (1964), to 1e-7. */
function phi(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

test('p is 1 if nothing differs and null without pairs; differences from rounding do not count', () => {
  expect(signFlipTest([0, 0, 0], { seed })).toEqual({ difference: 0, p: 1, exact: true, n: 3 });
  expect(signFlipTest([], { seed })).toEqual({ difference: null, p: null, exact: true, n: 0 });
  expect([countedSignFlipP([0, 0], 'fine'), countedSignFlipP([], 'fine')]).toEqual([1, null]);
  expect(signFlipTest([1e-17, -2e-17, 1], { seed }).p).toBe(1);
  // 0.1 + 0.2 against 0.3: as far from 0 as each other.
  expect(signFlipTest([0.1, 0.2, -0.3], { seed }).p).toBe(countedP([1, 2, -3]));
});

test('false alarms keep their level where the bootstrap has twice as many', () => {
  const random = uniform(seedOf('false alarms'));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const alarms = (n: number): number =>
    Array.from(
      { length: 2_000 },
      () => (signFlipTest(Array.from({ length: n }, normal), { seed }).p as number) <= 0.05,
    ).filter(Boolean).length / 2_000;
  expect(alarms(8)).toBeLessThan(0.065);
  expect(alarms(14)).toBeLessThan(0.065);
});
