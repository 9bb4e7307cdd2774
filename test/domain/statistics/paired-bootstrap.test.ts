import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { pairedBootstrap } from '../../../domain/statistics/paired-bootstrap.ts';

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
interface Pair {
  readonly old: number | readonly number[];
  readonly now: number | readonly number[];
}
/** Of the means over all cells. */
function difference(tasks: readonly Pair[]): number | null {
  const [old, now] = [mean(tasks.flatMap((task) => task.old)), mean(tasks.flatMap((task) => task.now))];
  return old === null || now === null ? null : now - old;
}
const options = { seed: seedOf('paired'), resamples: 4_000 };

test('the standard error is that of the paired differences, not of two independent samples', () => {
  // Differences 0 and 2, half each: their mean's standard error over n tasks is 1 / sqrt(n). Unpaired it would be near 29 sqrt(2 / n).
  const tasks = Array.from({ length: 400 }, (_, task) => ({ old: task % 100, now: (task % 100) + (task < 200 ? 2 : 0) }));
  const { difference: shift, standardError, interval } = pairedBootstrap(tasks, difference, options);
  expect(shift).toBeCloseTo(1, 12);
  expect(Math.abs((standardError ?? 0) - 0.05)).toBeLessThan(0.005);
  expect(Math.abs((interval?.lo ?? 0) - (1 - 1.96 * 0.05))).toBeLessThan(0.02);
  expect(Math.abs((interval?.hi ?? 0) - (1 + 1.96 * 0.05))).toBeLessThan(0.02);
});

test('ten equal phrasings of a task say no more than one', () => {
  const random = uniform(seedOf('phrasings'));
  const one = Array.from({ length: 30 }, () => ({ old: [Number(random() < 0.5)], now: [Number(random() < 0.6)] }));
  const ten = one.map(({ old, now }) => ({
    old: Array<number>(10).fill(old[0] as number),
    now: Array<number>(10).fill(now[0] as number),
  }));
  const { standardError: fromOne } = pairedBootstrap(one, difference, options);
  const { standardError: fromTen } = pairedBootstrap(ten, difference, options);
  expect(fromTen).toBeCloseTo(fromOne ?? Number.NaN, 12);
});

test('a resample without a difference counts on both sides, also in scores whose sums round: thirds say what whole numbers say', () => {
  const whole = [2, -1, -1, 1, 1, -1, 0, 2].map((shift, task) => ({ old: task % 3 === 0 ? 1 : 2, now: (task % 3 === 0 ? 1 : 2) + shift }));
  const thirds = whole.map(({ old, now }) => ({ old: old / 3, now: now / 3 }));
  expect(pairedBootstrap(thirds, difference, options).p).toBe(pairedBootstrap(whole, difference, options).p);
});

test('versions that do not differ give an interval of 0 and p = 1', () => {
  const tasks = [1, 0, 1, 1].map((passed) => ({ old: passed, now: passed }));
  expect(pairedBootstrap(tasks, difference, options)).toEqual({ difference: 0, interval: { lo: 0, hi: 0 }, p: 1, standardError: 0, n: 4 });
});

test('every task better: p is as small as the resamples allow, but no smaller than so few tasks can say', () => {
  const better = (n: number) => Array.from({ length: n }, () => ({ old: 0, now: 1 }));
  expect(pairedBootstrap(better(40), difference, options).p).toBe(2 / 4_001);
  expect(pairedBootstrap(better(4), difference, options).p).toBe(1 / 8);
  expect(pairedBootstrap(better(1), difference, options).p).toBe(1);
});

test('p is near the exact one of a sign-like table: 20 tasks up, 10 down', () => {
  // The mean difference 1/3 has the standard error sqrt((1 - 1/9) / 30) = 0.172, so z = 1.94 and p is near 0.053.
  const tasks = Array.from({ length: 30 }, (_, task) => ({ old: task < 20 ? 0 : 1, now: task < 20 ? 1 : 0 }));
  expect(Math.abs((pairedBootstrap(tasks, difference, options).p ?? 1) - 0.053)).toBeLessThan(0.03);
});

test('under no difference p falls below 0.05 about as often as it should', () => {
  const random = uniform(seedOf('null'));
  let alarms = 0;
  for (let study = 0; study < 300; study += 1) {
    const tasks = Array.from({ length: 60 }, () => ({ old: Number(random() < 0.7), now: Number(random() < 0.7) }));
    const { p } = pairedBootstrap(tasks, difference, { seed: study, resamples: 400 });
    alarms += Number((p ?? 1) <= 0.05);
  }
  // 15 expected, standard deviation 3.8.
  expect(alarms).toBeGreaterThan(3);
  expect(alarms).toBeLessThan(32);
});

test('without tasks, or where a version has no value, everything is null', () => {
  const nothing = { difference: null, interval: null, p: null, standardError: null };
  expect(pairedBootstrap([], difference, options)).toEqual({ ...nothing, n: 0 });
  expect(pairedBootstrap([{ old: [1], now: [] }], difference, options)).toEqual({ ...nothing, n: 1 });
});
