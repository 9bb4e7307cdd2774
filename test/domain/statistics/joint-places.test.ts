import { expect, test } from 'vitest';
import { jointLevel, jointPlaces, type TestedPair } from '../../../domain/statistics/intervals/joint-places.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { seedOf, uniform } from '../../../domain/random.ts';

/** Passed or failed; the models share the difficulty of tasks. @param abilities mean chances that a model passes */
function simulated(abilities: readonly number[], tasks: number, random: () => number): number[][] {
  const scores: number[][] = abilities.map(() => []);
  for (let task = 0; task < tasks; task += 1) {
    const shift = 0.5 * (random() - 0.5);
    for (const [model, ability] of abilities.entries())
      scores[model]?.push(Number(random() < Math.min(1, Math.max(0, ability + shift))));
  }
  return scores;
}

function testedPairs(scores: readonly (readonly number[])[]): TestedPair[] {
  const only = (a: readonly number[], b: readonly number[]): number =>
    a.filter((value, task) => value > (b[task] as number)).length;
  return scores.flatMap((a, first) =>
    scores
      .slice(first + 1)
      .map((b, next) => ({ first, second: first + 1 + next, p: mcnemarP(only(a, b), only(b, a)) })),
  );
}

/** Whether every model's interval contains all ranks that it truly has or may take among ties. */
function allHeld(abilities: readonly number[], tasks: number, seed: number): boolean {
  const scores = simulated(abilities, tasks, uniform(seed));
  const { places } = jointPlaces(scores, testedPairs(scores), { seed: seedOf(seed), resamples: 500 });
  return abilities.every((ability, model) => {
    const least = 1 + abilities.filter((other) => other > ability).length;
    const most = abilities.filter((other) => other >= ability).length;
    const { lo, hi } = places[model] as { lo: number; hi: number };
    return lo <= least && hi >= most;
  });
}

const equal = Array.from({ length: 12 }, () => 0.5);
const apart = [0.3, 0.3, 0.45, 0.5, 0.5, 0.6, 0.7, 0.7];

test.each([
  { name: '12 equal models', abilities: equal, tasks: 20 },
  { name: '12 equal models', abilities: equal, tasks: 100 },
  { name: '8 models, some equal', abilities: apart, tasks: 60 },
  { name: '2 equal models', abilities: [0.8, 0.8], tasks: 10 },
])('all rank intervals together hold in 95 % of simulations: $name, $tasks tasks', ({ name, abilities, tasks }) => {
  const simulations = 300;
  let held = 0;
  for (let index = 0; index < simulations; index += 1)
    held += Number(allHeld(abilities, tasks, seedOf(name, tasks, index)));
  // Two standard errors of 300 simulations.
  expect(held / simulations).toBeGreaterThan(0.95 - 2 * Math.sqrt((0.95 * 0.05) / simulations));
});

/** Two-sided p of the sum over all ways to set the signs; the first is fixed, since all signs turned give the same. */
function signFlipP(changes: readonly number[]): number {
  const [first = 0, ...others] = changes;
  const sums = others.reduce((all, change) => all.flatMap((sum) => [sum + change, sum - change]), [first]);
  const observed = Math.abs(changes.reduce((sum, change) => sum + change, 0)) - 1e-9;
  return sums.filter((sum) => Math.abs(sum) >= observed).length / sums.length;
}

// Red before: 92 % of simulations, as resamples of a few tasks tell too little of how alike the models are.
test('rank intervals of 12 equal models on 12 tasks with values of any size hold in 95 % of simulations', () => {
  const simulations = 400;
  const random = uniform(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let held = 0;
  for (let index = 0; index < simulations; index += 1) {
    const scores = equal.map(() => Array.from({ length: 12 }, normal));
    const pairs = scores.flatMap((a, first) =>
      scores.slice(first + 1).map((b, next) => ({
        ...{ first, second: first + 1 + next },
        p: signFlipP(a.map((value, task) => value - (b[task] as number))),
      })),
    );
    const { places } = jointPlaces(scores, pairs, { seed: index, resamples: 500 });
    held += Number(places.every(({ lo, hi }) => lo === 1 && hi === equal.length));
  }
  expect(held / simulations).toBeGreaterThan(0.95 - 2 * Math.sqrt((0.95 * 0.05) / simulations));
});

test('the level of a pair is between those of Bonferroni and of one pair, and higher if models are alike', () => {
  const random = uniform(11);
  const apartScores = simulated(equal, 100, random);
  const [first = []] = apartScores;
  // Each model is the first one but for two tasks, or but for one of these two.
  const alike = equal.map((_, model) => first.map((value, task) => (task < model % 3 ? 1 - value : value)));
  const level = (scores: number[][]): number => jointLevel(scores, { seed: 1 });
  expect(level(apartScores)).toBeGreaterThan(0.05 / 66);
  expect(level(alike)).toBeGreaterThan(2 * level(apartScores));
  expect(level(alike)).toBeLessThanOrEqual(0.05);
});

test('models far apart have one rank each, and a model equal to another shares its ranks', () => {
  const tasks = Array.from({ length: 200 }, (_, task) => task);
  const passing = (share: number): number[] => tasks.map((task) => Number(((task * 37) % 200) / 200 < share));
  const scores = [passing(0.2), passing(0.9), passing(0.55), passing(0.55)];
  expect(jointPlaces(scores, testedPairs(scores), { seed: 1 }).places).toEqual([
    { lo: 4, hi: 4 },
    { lo: 1, hi: 1 },
    { lo: 2, hi: 3 },
    { lo: 2, hi: 3 },
  ]);
});

test('one task, or models that never differ, decide nothing', () => {
  const nothing = [
    { lo: 1, hi: 2 },
    { lo: 1, hi: 2 },
  ];
  for (const scores of [
    [[1], [0]],
    [
      [1, 0],
      [1, 0],
    ],
  ])
    expect(jointPlaces(scores, testedPairs(scores), { seed: 1 })).toEqual({
      places: nothing,
      pairLevel: expect.closeTo(0.05, 12),
    });
});

test('96 models on 378 tasks take less than 10 s', () => {
  const abilities = Array.from({ length: 96 }, (_, model) => 0.2 + (0.7 * model) / 96);
  const scores = simulated(abilities, 378, uniform(3));
  const pairs = testedPairs(scores);
  const before = performance.now();
  jointPlaces(scores, pairs, { seed: 1 });
  expect(performance.now() - before).toBeLessThan(10_000);
});
