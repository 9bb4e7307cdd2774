import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { modelPair, statedSpread } from '../../../domain/statistics/power/answer-spread.ts';
import { powerAdvice } from '../../../domain/statistics/power/advice.ts';
import { normalQuantile } from '../../../domain/statistics/special.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { mcnemarEffect, mcnemarTasks, meanPower } from '../../../domain/statistics/power/paired-power.ts';
import { signFlipTest } from '../../../domain/statistics/tests/sign-flip.ts';

/** How often McNemar's exact test finds a true difference of shares. */
function mcnemarPower(n: number, discordant: number, difference: number, alpha: number): number {
  const random = uniform(seedOf('power', n, discordant, difference));
  const simulations = 4_000;
  let found = 0;
  for (let simulation = 0; simulation < simulations; simulation += 1) {
    let [better, worse] = [0, 0];
    for (let task = 0; task < n; task += 1) {
      const drawn = random();
      if (drawn < (discordant + difference) / 2) better += 1;
      else if (drawn < discordant) worse += 1;
    }
    found += Number(better > worse && mcnemarP(worse, better) <= alpha);
  }
  return found / simulations;
}

test.each([
  { difference: 0.05, discordant: 0.1, alpha: 0.05 },
  { difference: 0.1, discordant: 0.2, alpha: 0.05 },
  { difference: 0.1, discordant: 0.1, alpha: 0.05 },
  { difference: 0.2, discordant: 0.5, alpha: 0.005 },
  { difference: 0.1, discordant: 0.3, alpha: 0.05 / 45 },
])(
  'a difference of $difference with $discordant discordant is found in about 80 % on the tasks needed, at $alpha',
  ({ difference, discordant, alpha }) => {
    const n = mcnemarTasks(difference, discordant, alpha) as number;
    const power = mcnemarPower(n, discordant, difference, alpha);
    expect(power).toBeGreaterThan(0.78);
    // All discordant tasks go one way in the third case, so that the number of them decides alone, in coarse steps.
    expect(power).toBeLessThan(difference === discordant ? 0.94 : 0.86);
    // The smallest effect on that many tasks is that difference.
    expect(mcnemarEffect(n, discordant, alpha)).toBeLessThanOrEqual(difference);
    expect(mcnemarEffect(n - 1, discordant, alpha)).toBeGreaterThan(difference);
  },
);

test.each([
  { between: 0.12, within: 0.05, correlation: 0.7, difference: 0.05, alpha: 0.05 },
  { between: 0.2, within: 0.03, correlation: 0.9, difference: 0.02, alpha: 0.05 / 4_560 },
])('`power` names the same number for one answer a task: $difference at $alpha', (one) => {
  const spread = statedSpread(one.between, one.within, one.correlation);
  const { old, now, shared } = modelPair(spread, one.difference);
  const discordant = old + now - 2 * (old * now + shared);
  const { designs } = powerAdvice({ ...one, power: 0.8 }, { spread, tasks: null, prices: null });
  const single = designs.find(({ repetitions, samples }) => repetitions * samples === 1);
  expect(mcnemarTasks(one.difference, discordant, one.alpha)).toBe(single?.tasks);
});

test('4,560 pairs of 96 models take seconds', () => {
  const before = performance.now();
  for (let pair = 0; pair < 4_560; pair += 1) {
    const discordant = 20 + (pair % 180);
    mcnemarTasks((1 + ((7 * pair) % discordant)) / 378, discordant / 378, 0.05 / 4_560);
  }
  expect(performance.now() - before).toBeLessThan(20_000);
});

test('five tasks can never show a difference at 5 %, six only if all go the same way', () => {
  expect([mcnemarEffect(5, 1, 0.05), mcnemarEffect(6, 0, 0.05)]).toEqual([null, expect.any(Number)]);
  const means = meanPower(0.05);
  expect([mcnemarTasks(0, 0.2, 0.05), means.tasks(0, 1), means.effect(1, 1), means.effect(9, 0)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

/** How often the sign-flip test finds a true mean difference of normal values. */
function signFlipPower(n: number, difference: number, alpha: number): number {
  const random = uniform(seedOf('power', n, difference));
  const normal = (): number => normalQuantile(Math.max(1e-12, random()));
  const simulations = 500;
  let found = 0;
  for (let simulation = 0; simulation < simulations; simulation += 1) {
    const changes = Array.from({ length: n }, () => difference + normal());
    const { p } = signFlipTest(changes, { seed: simulation, draws: alpha < 0.01 ? 1_999 : 499 });
    found += Number((p as number) <= alpha);
  }
  return found / simulations;
}

test.each([
  { difference: 1, alpha: 0.05 },
  { difference: 0.4, alpha: 0.05 },
  { difference: 0.6, alpha: 0.005 },
])('a mean difference of $difference deviations is found in about 80 % on the tasks needed, at $alpha', (one) => {
  const { difference, alpha } = one;
  const means = meanPower(alpha);
  const n = means.tasks(difference, 1) as number;
  const power = signFlipPower(n, difference, alpha);
  expect(power).toBeGreaterThan(0.76);
  expect(power).toBeLessThan(0.86);
  expect(means.effect(n, 1)).toBeLessThanOrEqual(difference);
  expect(means.effect(n - 1, 1)).toBeGreaterThan(difference);
});

// Red before: 59 to 75 % in eight cases, since the quantiles of Student's t know nothing of signs.
test.each([
  ...[6, 7, 8, 9].map((n) => ({ n, alpha: 0.05 })),
  ...[7, 8, 9, 10].map((n) => ({ n, alpha: 0.05 / 3 })),
  ...[10, 11, 12, 13].map((n) => ({ n, alpha: 0.05 / 18 })),
])('$n tasks, hardly enough for any signs at $alpha: the smallest difference is found in about 80 %', (one) => {
  const power = signFlipPower(one.n, meanPower(one.alpha).effect(one.n, 1) as number, one.alpha);
  expect(power).toBeGreaterThan(0.75);
  expect(power).toBeLessThan(0.9);
});
