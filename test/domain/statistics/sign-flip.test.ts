import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { signFlipTest } from '../../../domain/statistics/tests/sign-flip.ts';

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

test('rounded to 256ths of the largest, all ways are counted; the p of such values is exact', () => {
  // No step is common to them that is coarse enough to be found, and they are too many to try all signs one by one.
  const differences = [256, -101, 77, 3, 250, 199, -31, 90, 127, 64, -5, 211, 148, -9, 33, 172, 58, -120];
  const { p, exact } = signFlipTest(differences, { seed, mostDraws: 1 });
  expect(p).toBeCloseTo(countedP(differences), 12);
  expect(exact).toBe(true);
  expect(signFlipTest(differences, { seed }).exact).toBe(false);
  // Values in between are rounded, which changes p little.
  const shifted = differences.map((value, place) => value + 0.4 * Math.sin(place));
  expect(Math.abs((signFlipTest(shifted, { seed, mostDraws: 1 }).p as number) - countedP(shifted))).toBeLessThan(0.002);
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
