import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { normalQuantile } from '../../../domain/statistics/special.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import { mcnemarEffect, mcnemarTasks, meanEffect, meanTasks } from '../../../domain/statistics/tests/paired-power.ts';
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

test('five tasks can never show a difference at 5 %, six only if all go the same way', () => {
  expect([mcnemarEffect(5, 1, 0.05), mcnemarEffect(6, 0, 0.05)]).toEqual([null, expect.any(Number)]);
  expect([mcnemarTasks(0, 0.2, 0.05), meanTasks(0, 1, 0.05), meanEffect(1, 1, 0.05), meanEffect(9, 0, 0.05)]).toEqual([
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
  const n = meanTasks(difference, 1, alpha) as number;
  const power = signFlipPower(n, difference, alpha);
  expect(power).toBeGreaterThan(0.76);
  expect(power).toBeLessThan(0.86);
  expect(meanEffect(n, 1, alpha)).toBeLessThanOrEqual(difference);
  expect(meanEffect(n - 1, 1, alpha)).toBeGreaterThan(difference);
});
