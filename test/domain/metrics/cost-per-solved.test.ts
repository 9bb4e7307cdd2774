import { expect, test } from 'vitest';
import { costPerSolved, type TaskCost } from '../../../domain/metrics/cost-per-solved.ts';
import { uniform } from '../../../domain/random.ts';
import { ratioInterval } from '../../../domain/statistics/intervals/ratio-of-means.ts';

test('the value is the total cost divided by the number of solved tasks', () => {
  // 0.10 + 0.20 + 0.30 dollars; one task solved, one by half of its programs.
  const tasks = [
    { cost: 0.1, solved: 1 },
    { cost: 0.2, solved: 0.5 },
    { cost: 0.3, solved: 0 },
  ];
  expect(costPerSolved(tasks).value).toBeCloseTo(0.6 / 1.5, 12);
});

test('no solved task: no value, but a lower bound of the cost; one task: no interval; none: null', () => {
  const none = costPerSolved([
    { cost: 0.1, solved: 0 },
    { cost: 0.1, solved: 0 },
  ]);
  expect(none).toMatchObject({ value: null, reason: 'no task is solved', interval: { hi: null } });
  // Of two tasks at most 84.19 % are solved (1 - 0.025 ^ (1 / 2)), each of which cost 0.10.
  expect(none.interval?.lo).toBeCloseTo(0.1 / (1 - Math.sqrt(0.025)), 6);
  expect(costPerSolved([{ cost: 0.1, solved: 1 }])).toMatchObject({ value: 0.1, interval: null });
  expect(costPerSolved([])).toMatchObject({ value: null, interval: null });
});

/**
 * Fieller's limits: the ratios R with (a - R b)^2 <= a's variance - 2 R covariance + R^2 b's variance,
 * by the quadratic formula.
 */
function fieller(a: number, b: number, halfA: number, halfB: number, correlation: number) {
  const [p, q, r] = [b * b - halfB * halfB, a * b - correlation * halfA * halfB, a * a - halfA * halfA];
  const root = Math.sqrt(q * q - p * r);
  return { lo: (q - root) / p, hi: (q + root) / p };
}

test.each([
  [0.02, 0.8, 0.004, 0.1, 0],
  [0.02, 0.8, 0.004, 0.1, -0.6],
  [3, 0.5, 1, 0.3, 0.4],
])('of symmetric intervals it is Fieller’s: %d over %d', (a, b, halfA, halfB, correlation) => {
  const around = (value: number, half: number) => ({ value, interval: { lo: value - half, hi: value + half } });
  const found = ratioInterval(around(a, halfA), around(b, halfB), correlation);
  const wanted = fieller(a, b, halfA, halfB, correlation);
  expect(found.lo).toBeCloseTo(wanted.lo, 10);
  expect(found.hi).toBeCloseTo(wanted.hi, 10);
});

/** Skewed costs, higher for unsolved tasks (retries and longer loops). */
function drawn(random: () => number, n: number, p: number): TaskCost[] {
  return Array.from({ length: n }, () => {
    const solved = random() < p ? 1 : 0;
    return { cost: (solved === 1 ? 0.01 : 0.02) * Math.exp(0.6 * normal(random)), solved };
  });
}
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

test.each([
  [5, 0.5],
  [5, 0.97],
  [20, 0.03],
  [20, 0.5],
  [20, 0.97],
  [60, 0.8],
  [164, 0.5],
])(
  'the interval of %d tasks, of which a share of %d is solved, holds the true cost in 93 of 100 cases at least',
  (n, p) => {
    const truth = ((p * 0.01 + (1 - p) * 0.02) * Math.exp(0.18)) / p;
    const random = uniform(n * 1000 + p * 100);
    const rounds = 1_000;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { interval } = costPerSolved(drawn(random, n, p));
      if (interval !== null && interval.lo <= truth && (interval.hi === null || truth <= interval.hi)) held += 1;
    }
    // Minus three standard errors of the simulation itself.
    expect(held / rounds).toBeGreaterThanOrEqual(0.93 - 3 * Math.sqrt((0.93 * 0.07) / rounds));
  },
);
