import { expect, test } from 'vitest';
import type { PairOptions } from '../../../domain/compare/pairs.ts';
import { compareWhole, wholeStandings, type WholeValue } from '../../../domain/compare/whole-metrics.ts';

const options: PairOptions = {
  ...{ direction: 'lower', margin: 0, alpha: 0.05, seed: 1 },
  range: { kind: 'assumed', least: 1 },
};

/** Bounds one level wide up to a confidence, and three levels above it. */
const known =
  (value: number, upTo: number): WholeValue =>
  (level) => {
    const width = level <= upTo ? 0 : 3;
    return { value, lo: value - width, hi: value + width };
  };

test('p is the smallest chance of an error at which the bounds exclude 0, split between both models', () => {
  // The bounds of both models are narrow up to a level of 0.99, so up to a chance of 0.02 of their difference.
  const [pair] = compareWhole([known(1, 0.99), known(3, 0.999)], options);
  expect(pair).toMatchObject({ first: 0, second: 1, difference: -2, verdict: 'better', method: 'bounds' });
  expect(pair?.p).toBeGreaterThanOrEqual(0.02);
  expect(pair?.p).toBeLessThan(0.02 * 10 ** 0.05);
  expect(pair?.interval).toEqual({ lo: -2, hi: -2 });
  expect(pair).toMatchObject({ better: null, worse: null, smallestEffect: null, tasksNeeded: null });
});

test('Holm counts all pairs: three models need three times the evidence', () => {
  const models = [known(1, 0.99), known(3, 0.99), known(3, 0.99)];
  const pairs = compareWhole(models, options);
  expect(pairs.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  expect(pairs[0]?.pHolm).toBeCloseTo(3 * (pairs[0]?.p as number), 12);
  expect(pairs[2]?.p).toBe(1);
});

test('ranks follow the values, rank intervals and letters the verdicts', () => {
  const models = [known(3, 0.9999), known(1, 0.9999), known(3, 0.9999)];
  const standings = wholeStandings(models, compareWhole(models, options), options);
  expect(standings.map(({ model, rank, rankInterval, letters }) => [model, rank, rankInterval, letters])).toEqual([
    [1, 1, { lo: 1, hi: 1 }, 'a'],
    [0, 2.5, { lo: 2, hi: 3 }, 'b'],
    [2, 2.5, { lo: 2, hi: 3 }, 'b'],
  ]);
});

test('a margin is met only if the bounds at the level of the family lie within it', () => {
  const verdictAt = (upTo: number) =>
    compareWhole([known(2, upTo), known(2, upTo)], { ...options, margin: 1 })[0]?.verdict;
  expect([verdictAt(0.999), verdictAt(0.9)]).toEqual(['no_change', 'inconclusive']);
});
