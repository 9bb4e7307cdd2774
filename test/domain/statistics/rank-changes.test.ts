import { expect, test } from 'vitest';
import leaderboard from '../../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import { closeness } from '../../../studies/promptse/results/questions/light-agreement.ts';
import { structureOf } from '../../../studies/promptse/results/questions/structure.ts';
import { reliability } from '../../../studies/evaloop/results/reliability/reliability.ts';
import { seedOf } from '../../../domain/random.ts';
import {
  concordanceInterval,
  kendallInterval,
  spearmanInterval,
} from '../../../domain/statistics/intervals/correlation-interval.ts';
import { placeAmong } from '../../../domain/statistics/ranks/place-among.ts';
import { bootstrapRanks } from '../../../domain/statistics/intervals/rank-bootstrap.ts';
import { placeIntervals } from '../../../domain/statistics/intervals/place-intervals.ts';
import { rankChangeIntervals, rankChangeShares } from '../../../domain/statistics/intervals/rank-change-intervals.ts';
import { rankChanges } from '../../../domain/statistics/ranks/rank-changes.ts';
import { compareRankings } from '../../../domain/statistics/ranks/rank-comparison.ts';
import scipy from '../../fixtures/scipy/model_correlations.json' with { type: 'json' };

const options = { seed: seedOf('ranks') };
const byAsl = leaderboard.rows.map(({ place }) => place);
const byPass = leaderboard.rows.map(({ place, rise }) => place + rise);

test("table 2 of EVALOOP is 96 models in ASL's order, and its changes give a ranking by pass@1 without gaps", () => {
  expect(byAsl).toEqual(Array.from({ length: 96 }, (_, index) => index + 1));
  expect(leaderboard.rows.every(({ asl }, index, rows) => index === 0 || asl <= (rows[index - 1]?.asl ?? 0))).toBe(
    true,
  );
  expect(byPass.toSorted((a, b) => a - b)).toEqual(byAsl);
});

test('table 2 of EVALOOP: 88 of 96 change, 26 by ten or more, 436 of 4,560 pairs reversed, -29 to +12', () => {
  expect(rankChanges(byPass, byAsl)).toEqual({
    models: 96,
    changed: 88,
    large: 26,
    meanAbsolute: 6.875,
    pairs: 4560,
    reversed: 436,
    highestRise: 12,
    deepestFall: -29,
  });
});

test('as shares table 2 reads 91.7 %, 27.1 % and 9.56 %', () => {
  const shares = rankChangeShares({ before: byPass.map((place) => -place), after: byAsl.map((place) => -place) });
  expect(shares.changedShare).toBeCloseTo(0.917, 3);
  expect(shares.largeShare).toBeCloseTo(0.271, 3);
  expect(shares.reversedShare).toBeCloseTo(0.0956, 4);
  // Without ties, tau is 1 minus twice the reversed share.
  expect(shares.kendall).toBeCloseTo(1 - (2 * 436) / 4560, 12);
});

test('a pair that ties in one ranking is not reversed', () => {
  expect(rankChanges([1.5, 1.5, 3], [2, 1, 3])).toMatchObject({
    changed: 2,
    meanAbsolute: 1 / 3,
    reversed: 0,
    highestRise: 0.5,
    deepestFall: -0.5,
  });
});

test('without models there is no mean change; rankings of other models are refused', () => {
  expect(rankChanges([], [])).toMatchObject({
    models: 0,
    meanAbsolute: null,
    highestRise: null,
    deepestFall: null,
    pairs: 0,
  });
  expect(() => rankChanges([1], [1, 2])).toThrow('got 1 and 2');
});

test('an external ranking is compared over the shared models, ranked among themselves', () => {
  const ours = new Map([
    ['a', 9],
    ['b', 8],
    ['only ours', 7.5],
    ['c', 7],
    ['d', 6],
    ['e', 5],
  ]);
  const theirs = new Map([
    ['e', 50],
    ['a', 40],
    ['b', 30],
    ['c', 20],
    ['d', 10],
    ['only theirs', 1],
  ]);
  const { models, onlyFirst, onlySecond, spearman, kendall } = compareRankings(ours, theirs);
  expect(models.map(({ model, place, otherPlace, nearness }) => [model, place, otherPlace, nearness])).toEqual([
    ['a', 1, 2, 'within_2'],
    ['b', 2, 3, 'within_2'],
    ['c', 3, 4, 'within_2'],
    ['d', 4, 5, 'within_2'],
    ['e', 5, 1, 'apart'],
  ]);
  expect([onlyFirst, onlySecond]).toEqual([['only ours'], ['only theirs']]);
  // Squared differences 1 + 1 + 1 + 1 + 16 of 5 models; 4 of 10 pairs reversed.
  expect(spearman.statistic).toBeCloseTo(1 - (6 * 20) / (5 * 24), 12);
  expect(kendall.statistic).toBeCloseTo(1 - 8 / 10, 12);
});

test('a model with equal ranks is the same; two and a half ranks of difference, from a tie, are apart', () => {
  const { models } = compareRankings(
    new Map([
      ['a', 4],
      ['b', 3],
      ['c', 2],
      ['d', 1],
    ]),
    new Map([
      ['a', 9],
      ['b', 1],
      ['c', 5],
      ['d', 5],
    ]),
  );
  expect(models.map(({ nearness }) => nearness)).toEqual(['same', 'within_2', 'within_2', 'within_2']);
  const tied = compareRankings(
    new Map([
      ['a', 9],
      ['b', 3],
      ['c', 2],
      ['d', 1],
    ]),
    new Map([
      ['a', 1],
      ['b', 9],
      ['c', 8],
      ['d', 1],
    ]),
  );
  expect(tied.models.find(({ model }) => model === 'a')?.nearness).toBe('apart');
});

test('intervals of the correlations are over models, and have a width even if the rankings are identical', () => {
  const up = new Map([1, 2, 3, 4, 5].map((score) => [`m${score}`, score]));
  const down = new Map([...up].map(([model, score]) => [model, -score]));
  const { spearman, kendall } = compareRankings(up, up).intervals;
  expect(spearman?.hi).toBe(1);
  expect(spearman?.lo).toBeLessThan(0.9);
  expect(kendall?.hi).toBe(1);
  expect(kendall?.lo).toBeLessThan(0.9);
  const opposite = compareRankings(up, down).intervals.spearman;
  expect(opposite).toEqual({ lo: -1, hi: -(spearman?.lo as number) });
  expect(compareRankings(new Map([['a', 1]]), new Map([['a', 1]])).intervals).toEqual({
    spearman: null,
    kendall: null,
  });
});

test.each(scipy.pairs)(
  'the ends over models are the jackknife’s, worked out with SciPy’s rho, tau and t',
  ({ x, y, spearman, kendall }) => {
    const close = ([lo, hi]: readonly number[]) => ({ lo: expect.closeTo(lo ?? 0, 9), hi: expect.closeTo(hi ?? 0, 9) });
    expect(spearmanInterval(x, y)).toEqual(close(spearman));
    expect(kendallInterval(x, y)).toEqual(close(kendall));
  },
);

test.each(scipy.concordance)(
  'W’s reach over the jackknife’s and Bonett and Wright’s',
  ({ table, interval: [lo = 0, hi = 0] }) => {
    expect(concordanceInterval(table)).toEqual({ lo: expect.closeTo(lo, 9), hi: expect.closeTo(hi, 9) });
  },
);

test('four models have no interval, because it would cover less than its level', () => {
  expect(spearmanInterval([1, 2, 3, 4], [1, 3, 2, 4])).toBeNull();
  expect(kendallInterval([1, 2, 3, 4], [1, 3, 2, 4])).toBeNull();
  expect(
    concordanceInterval([
      [1, 2, 3, 4],
      [1, 3, 2, 4],
    ]),
  ).toBeNull();
});

test('two rankings of models have one interval, whoever compares them', () => {
  const [x, y] = [
    [7, 6, 5, 4, 3, 2, 1],
    [6, 7, 5, 3, 4, 2, 1],
  ];
  const named = (scores: readonly number[]): Map<string, number> =>
    new Map(scores.map((score, model) => [`m${model}`, score]));
  const expected = spearmanInterval(x, y);
  expect(expected).not.toBeNull();
  expect(compareRankings(named(x), named(y)).intervals.spearman).toEqual(expected);
  expect(rankChangeIntervals([0], () => ({ before: x, after: y }), options).spearman).toEqual({
    interval: expected,
    draws: 0,
  });
  const models = x.map((_, model) => `m${model}`);
  const settings = [{ setting: 'other', scores: y }];
  const reliable = reliability(models, { setting: 'baseline', scores: x }, settings);
  expect(reliable.bySetting[0]?.interval).toEqual(expected);
  // The average rank over one setting is its rank.
  expect(reliable.interval).toEqual(expected);
  const points = x.map((passAt1, model) => ({
    ...{ model: `m${model}`, family: null, sizeB: null, passAt1, aucE: y[model] as number, excess: null },
    tasks: new Map(),
  }));
  expect(structureOf(points).interval).toEqual(expected);
  const pairs = x.map((light, model) => ({ light, full: y[model] as number, cluster: `m${model}` }));
  // The same method on pairs that are sorted once: equal but for rounding.
  const { spearman } = closeness(pairs, 7).intervals;
  expect(spearman?.lo).toBeCloseTo(expected?.lo ?? Number.NaN, 12);
  expect(spearman?.hi).toBeCloseTo(expected?.hi ?? Number.NaN, 12);
});

/** Tasks, with the score of each of three models. */
type Task = readonly [number, number, number];
const totals = (drawn: readonly Task[]): number[] =>
  [0, 1, 2].map((model) => drawn.reduce((sum, task) => sum + (task[model] as number), 0));

test('a model that is ahead on every task is ahead in every resample, and equal models share', () => {
  const tasks: Task[] = [
    [1, 0, 0],
    [2, 1, 1],
    [3, 2, 2],
  ];
  const { places, ahead, defined } = bootstrapRanks(tasks, 3, totals, options);
  expect(ahead).toEqual([
    [0.5, 1, 1],
    [0, 0.5, 0.5],
    [0, 0.5, 0.5],
  ]);
  expect(places).toEqual([
    { lo: 1, hi: 1 },
    { lo: 2.5, hi: 2.5 },
    { lo: 2.5, hi: 2.5 },
  ]);
  expect(defined).toBe(2000);
});

test('the share of resamples ahead is near the exact one from all 3^3 draws', () => {
  const tasks: Task[] = [
    [3, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
  ];
  // Of a's 0..3 draws of the first task, 3k against 3 - k: ahead from k = 1 on; k = 0 has (2/3)^3.
  const { ahead } = bootstrapRanks(tasks, 3, totals, { ...options, resamples: 20_000 });
  expect(Math.abs((ahead[0]?.[1] ?? Number.NaN) - (1 - 8 / 27))).toBeLessThan(0.012);
});

test('without tasks or defined scores there is no rank and no order', () => {
  for (const { places, ahead, defined } of [
    bootstrapRanks([], 1, () => [1], options),
    bootstrapRanks([1, 2], 1, () => null, options),
  ]) {
    expect([places, ahead, defined]).toEqual([[null], [[null]], 0]);
  }
});

test('two rankings that agree on every task have no changed rank in any resample', () => {
  const tasks: Task[] = [
    [3, 2, 1],
    [6, 4, 2],
    [9, 5, 0],
  ];
  const intervals = rankChangeIntervals(tasks, (drawn) => ({ before: totals(drawn), after: totals(drawn) }), options);
  expect(intervals).toMatchObject({
    changedShare: { interval: { lo: 0, hi: 0 }, draws: 2000 },
    reversedShare: { interval: { lo: 0, hi: 0 }, draws: 2000 },
  });
});

test('if one task decides, the interval of the reversed share is from 0 to 1', () => {
  // The last task reverses the order of the second score; it is in 19/27 of the draws and absent from 8/27.
  const tasks = [
    { before: [1, 0], after: [1, 0] },
    { before: [1, 0], after: [1, 0] },
    { before: [1, 0], after: [0, 9] },
  ];
  const sum = (drawn: typeof tasks, key: 'before' | 'after'): number[] =>
    [0, 1].map((model) => drawn.reduce((all, task) => all + (task[key][model] as number), 0));
  const pair = (drawn: readonly (typeof tasks)[number][]) => ({
    before: sum([...drawn], 'before'),
    after: sum([...drawn], 'after'),
  });
  expect(rankChangeIntervals(tasks, pair, options).reversedShare).toEqual({ interval: { lo: 0, hi: 1 }, draws: 2000 });
  expect(rankChangeIntervals(tasks, () => null, options).reversedShare).toEqual({ interval: null, draws: 0 });
});

test('a new score is above all, below all, or half a rank down for each tie', () => {
  const others = [7, 5, 5, 1];
  expect([8, 6, 5, 1, 0].map((score) => placeAmong(score, others))).toEqual([1, 2, 3, 4.5, 5]);
});

test('a rank interval excludes as many ranks as models are significantly ahead or behind', () => {
  // The first two differ only by chance, the third is below both on every task.
  const tasks = Array.from({ length: 20 }, (_, task) => [1 + (task % 2), 1 + ((task + 1) % 2), 0.1 * (task % 3)]);
  expect(placeIntervals(tasks)).toEqual([
    { lo: 1, hi: 2 },
    { lo: 1, hi: 2 },
    { lo: 3, hi: 3 },
  ]);
  expect(placeIntervals([[3, 2, 1]])).toEqual([
    { lo: 1, hi: 3 },
    { lo: 1, hi: 3 },
    { lo: 1, hi: 3 },
  ]);
  expect(placeIntervals([])).toEqual([]);
});

// Red before: (1 - 3) each, since differences without a spread were not tested.
test('a model that is behind by as much on every task is surely behind, if there are enough of them', () => {
  const places = (count: number) => placeIntervals(Array.from({ length: count }, () => [3, 3, 0]));
  expect(places(14)).toEqual([
    { lo: 1, hi: 2 },
    { lo: 1, hi: 2 },
    { lo: 3, hi: 3 },
  ]);
  // Of the 2^5 ways to swap two models, 2 are as extreme: 1/16, above 0.05 / 2.
  expect(places(5)).toEqual(Array(3).fill({ lo: 1, hi: 3 }));
});
