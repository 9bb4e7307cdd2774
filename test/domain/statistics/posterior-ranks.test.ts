import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import {
  choleskyOf,
  choleskySolved,
  logDeterminant,
  lowerTimes,
} from '../../../domain/statistics/matrices/cholesky.ts';
import { contrastsOf, fromContrasts } from '../../../domain/statistics/matrices/contrasts.ts';
import { shrunkCovariance } from '../../../domain/statistics/matrices/shrunk-covariance.ts';
import { posteriorRanks } from '../../../domain/statistics/ranks/posterior-ranks.ts';
import oracle from '../../fixtures/numpy/posterior_ranks.json' with { type: 'json' };

const draws = 20_000;

test.each(oracle.cases)('ranks and shrinkage equal those of a Gibbs sampler in NumPy: $name', (one) => {
  const { values, width, shrinkage, ranks } = one;
  const tasks = values[0] as number[];
  const rows = tasks.map((_, task) => contrastsOf(values.map((own) => own[task] as number)));
  expect(shrunkCovariance(rows).shrinkage).toBeCloseTo(shrinkage, 9);
  const found = posteriorRanks(values, { seed: 3, width, draws }) ?? [];
  expect(found).toHaveLength(values.length);
  for (const [model, { rank, interval, best }] of found.entries()) {
    const chances = ranks[model] as number[];
    // Three standard errors of 20,000 draws, and 100 spreads instead of 4,000.
    expect(Math.abs(best - (chances[0] as number))).toBeLessThan(0.012);
    const below = (upTo: number): number => chances.slice(0, upTo).reduce((sum, chance) => sum + chance, 0);
    expect(below(rank)).toBeGreaterThan(0.49);
    expect(below(rank - 1)).toBeLessThan(0.51);
    expect(below(interval.lo - 1)).toBeLessThan(0.03);
    expect(below(interval.lo)).toBeGreaterThan(0.02);
    expect(below(interval.hi)).toBeGreaterThan(0.97);
    expect(below(interval.hi - 1)).toBeLessThan(0.98);
  }
});

/** Passed or failed; the models share the difficulty of tasks. */
function simulated(rates: readonly number[], tasks: number, seed: number): number[][] {
  const random = uniform(seed);
  const shifts = Array.from({ length: tasks }, () => random() - 0.5);
  return rates.map((rate) => shifts.map((shift) => Number(random() < rate + shift * 2 * Math.min(rate, 1 - rate))));
}

test('among equal models none is probably the best, and each may have any rank', () => {
  const scores = simulated(new Array<number>(12).fill(0.7), 164, seedOf('equal'));
  const found = posteriorRanks(scores, { seed: 1, width: 1 }) ?? [];
  expect(Math.max(...found.map(({ best }) => best))).toBeLessThan(0.35);
  expect(found.reduce((sum, { best }) => sum + best, 0)).toBeCloseTo(1, 9);
  for (const { interval } of found) expect(interval.hi - interval.lo).toBeGreaterThan(5);
});

test('two models that agree on all tasks are each the best with probability one half', () => {
  const passed = Array.from({ length: 40 }, (_, task) => Number(task % 3 > 0));
  for (const { best } of posteriorRanks([passed, passed], { seed: 2, width: 1 }) ?? [])
    expect(Math.abs(best - 0.5)).toBeLessThan(0.03);
});

test('models far apart keep their ranks, whatever their order and unit', () => {
  const rates = [0.1, 0.9, 0.5];
  const scores = simulated(rates, 300, seedOf('apart'));
  const found = posteriorRanks(scores, { seed: 1, width: 1 });
  expect(found?.map(({ rank, interval }) => [interval.lo, rank, interval.hi])).toEqual([
    [3, 3, 3],
    [1, 1, 1],
    [2, 2, 2],
  ]);
  const hundredfold = scores.map((own) => own.map((value) => 100 * value));
  expect(posteriorRanks(hundredfold, { seed: 1, width: 100 })).toEqual(found);
});

test('too few tasks, one model, and unbounded values that differ alike on every task have no posterior', () => {
  const five = [1, 2, 3, 4, 5];
  const options = { seed: 1, width: null };
  expect(
    posteriorRanks(
      [
        [1, 2, 3, 4],
        [4, 3, 2, 2],
      ],
      options,
    ),
  ).toBeNull();
  expect(posteriorRanks([five], options)).toBeNull();
  expect(posteriorRanks([five, five.map((value) => value + 0.1)], options)).toBeNull();
  expect(posteriorRanks([five, [1, 2, 3, 4, 7]], options)).not.toBeNull();
});

test('contrasts keep distances and give the values back', () => {
  const values = [3, -1, 4, 1.5, 9];
  const mean = 3.3;
  const contrasts = contrastsOf(values);
  const squares = (all: Iterable<number>): number => [...all].reduce((sum, value) => sum + value ** 2, 0);
  expect(squares(contrasts)).toBeCloseTo(squares(values.map((value) => value - mean)), 12);
  for (const [place, value] of fromContrasts(contrasts).entries())
    expect(value + mean).toBeCloseTo(values[place] as number, 12);
});

test("Cholesky's decomposition of a known matrix", () => {
  // L = [[2, 0, 0], [1, 3, 0], [-1, 0.5, 1]] by hand; the determinant of L L' is (2 x 3 x 1)².
  const matrix = { size: 3, cells: Float64Array.of(4, 2, -2, 2, 10, 0.5, -2, 0.5, 2.25) };
  const lower = choleskyOf(matrix);
  expect([...lower.cells]).toEqual([2, 0, 0, 1, 3, 0, -1, 0.5, 1]);
  expect(logDeterminant(lower)).toBeCloseTo(Math.log(36), 12);
  expect([...lowerTimes(lower, Float64Array.of(1, 1, 1))]).toEqual([2, 4, 0.5]);
  // The matrix times (1, 2, -1) is (10, 21.5, -3.25).
  expect([...choleskySolved(lower, Float64Array.of(10, 21.5, -3.25))]).toEqual([1, 2, -1]);
});

test('96 models on 378 tasks take less than 5 s', () => {
  const scores = simulated(
    Array.from({ length: 96 }, (_, model) => 0.2 + (0.7 * model) / 96),
    378,
    3,
  );
  const before = performance.now();
  posteriorRanks(scores, { seed: 1, width: 1 });
  expect(performance.now() - before).toBeLessThan(5_000);
});
