/** Ranks of estimates without task values, and agreement of rankings. */
import { expect, test } from 'vitest';
import { type Ranking, rankingAgreements } from '../../../domain/card/agreement.ts';
import type { ModelEstimate } from '../../../domain/card/card-measure.ts';
import { estimateRanks } from '../../../domain/card/estimate-ranks.ts';

const at = (value: number | null, half: number | null, hi?: null): ModelEstimate => ({
  ...{ value, tasks: 10, ownTasks: 10, reason: value === null ? 'none' : null },
  interval: value === null || half === null ? null : { lo: value - half, hi: hi === null ? null : value + half },
});

/** Intervals of three models are wider at 1 - 0.05 / 3 than at 0.95. */
const estimates = (level: number): (ModelEstimate | null)[] => {
  const half = level > 0.951 ? 2 : 1;
  return [at(1, half), at(4, half), at(8, half), at(null, half), at(5, null), null];
};

test('models differ if their intervals at 1 - alpha / k are disjoint', () => {
  const ranks = estimateRanks(estimates(0.95), estimates, { direction: 'lower', alpha: 0.05 });
  // [-1, 3], [2, 6] and [6, 10]: only the first and the last are disjoint; touching ends are not.
  expect(ranks).toMatchObject([
    { rank: 1, interval: { lo: 1, hi: 2 }, letters: 'a', better: 0, worse: 1, models: 3 },
    { rank: 2, interval: { lo: 1, hi: 3 }, letters: 'ab', better: 0, worse: 0, models: 3 },
    { rank: 3, interval: { lo: 2, hi: 3 }, letters: 'b', better: 1, worse: 0, models: 3 },
    null,
    null,
    null,
  ]);
  const turned = estimateRanks(estimates(0.95), estimates, { direction: 'higher', alpha: 0.05 });
  expect(turned.map((one) => one?.rank)).toEqual([3, 2, 1, undefined, undefined, undefined]);
});

test('an interval without an upper end never ends below another', () => {
  const open = (): ModelEstimate[] => [at(1, 0.5), at(9, 1, null)];
  expect(estimateRanks(open(), open, { direction: 'lower', alpha: 0.05 })).toMatchObject([{ worse: 1 }, { better: 1 }]);
  expect(estimateRanks(open(), open, { direction: 'higher', alpha: 0.05 })).toMatchObject([
    { better: 1 },
    { worse: 1 },
  ]);
  const below = (): ModelEstimate[] => [at(1, 0.5, null), at(9, 1)];
  expect(estimateRanks(below(), below, { direction: 'lower', alpha: 0.05 })).toMatchObject([
    { worse: 0 },
    { better: 0 },
  ]);
  expect(estimateRanks([null], () => [null], { direction: 'lower', alpha: 0.05 })).toEqual([null]);
});

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const ranking = (study: string, values: readonly number[], more: Partial<Ranking> = {}): Ranking => ({
  ...{ study, metric: 'pass_at_1', condition: 'base', trait: 'correctness', direction: 'higher' },
  values: new Map(values.map((value, index) => [names[index] as string, value])),
  ...more,
});
const passes = ranking('one', [62.1, 54.0, 71.3, 49.9, 80.2, 66.6, 58.8]);
const loops = ranking('one', [3.1, 2.2, 2.9, 2.0, 4.4, 4.1, 2.2], { metric: 'asl', trait: 'loops' });

test('rho is SciPy’s; a metric of which less is better is turned', () => {
  const [found] = rankingAgreements([passes, loops]);
  // scipy.stats.spearmanr 1.17
  expect(found).toMatchObject({ rho: expect.closeTo(0.8829187134416479, 12), relation: 'same_study', models: 7 });
  expect(found?.interval?.lo).toBeLessThan(0.88);
  const [turned] = rankingAgreements([passes, { ...loops, direction: 'lower' }]);
  expect(turned?.rho).toBeCloseTo(-0.8829187134416479, 12);
});

test('only models with both values count; four cannot tell, and a constant side has no rho', () => {
  const four = ranking('two', [1, 2, 3, 4]);
  const equal = ranking('two', [1, 1, 1, 1, 1], { trait: 'detail' });
  const found = rankingAgreements([passes, four, equal]);
  expect(found.map(({ rho, interval, models, reason, relation }) => [rho, interval, models, reason, relation])).toEqual(
    [
      [null, null, 4, 'cannot be told from 4 models: 5 are needed', 'same_trait'],
      [null, null, 5, 'all models are equal on one side', 'different'],
      [null, null, 4, 'cannot be told from 4 models: 5 are needed', 'same_study'],
    ],
  );
});

test('models of different tasks are compared on those that they share, at a level for all of their intervals', () => {
  const levels: number[] = [];
  const found: ModelEstimate[] = [at(1, 0.5), at(9, 0.5), at(5, 0.5)];
  const own = (): ModelEstimate[] => found;
  // The first two share tasks on which they are alike; each of them shares all of its own with the third.
  const pairs = {
    name: (model: number, other: number) => (model + other === 1 ? 'both' : 'all'),
    intervalOf: (model: number, other: number, level: number) => {
      levels.push(level);
      return model + other === 1 ? { lo: 0, hi: 2 } : (found[model]?.interval ?? null);
    },
  };
  const ranks = estimateRanks(found, own, { direction: 'lower', alpha: 0.05 }, pairs);
  expect(ranks).toMatchObject([
    { rank: 1, better: 0, worse: 1, letters: 'a' },
    { rank: 3, better: 1, worse: 0, letters: 'a' },
    { rank: 2, better: 1, worse: 1, letters: 'b' },
  ]);
  // Two lists of the first two models, and one of the third.
  expect(new Set(levels)).toEqual(new Set([1 - 0.05 / 5]));
  expect(levels).toHaveLength(5);
});

// Red before: rank 1 for a model that is dearer on each shared task, as it has the cheap tasks only.
test('where models have different tasks, one with fewer has no rank', () => {
  const of = (value: number, tasks: number): ModelEstimate => ({ ...at(value, 0.5), tasks });
  const found = [of(1, 60), of(5, 400), of(3, 397)];
  const pairs = {
    name: (model: number, other: number) => `${Math.min(model, other)} ${Math.max(model, other)}`,
    intervalOf: (model: number) => found[model]?.interval ?? null,
  };
  const ranks = estimateRanks(found, () => found, { direction: 'lower', alpha: 0.05 }, pairs);
  expect(ranks).toMatchObject([null, { rank: 2, models: 2 }, { rank: 1, models: 2 }]);
});
