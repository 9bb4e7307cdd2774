import { expect, test } from 'vitest';
import { estimateRanks } from '../../../domain/card/estimate-ranks.ts';
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
  // Of two tasks at most 84.19 % are solved (1 - 0.025 ^ (1 / 2)). A task costs at least 0.0158: of three parts of 1,
  // two of 0.10 and one of 0, the last is at most 84.19 % too. MOVER of a and [lo, hi] over 0 and [0, most].
  const lo = 0.1 * Math.sqrt(0.025);
  expect(none.interval?.lo).toBeCloseTo(Math.sqrt(lo * (2 * 0.1 - lo)) / (1 - Math.sqrt(0.025)), 6);
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

/**
 * SciPy 1.17: the quantiles of Gaffke's sum are those of a B-spline with the costs and a bound as knots
 * (BSpline.basis_element), the bounds are 0 and ten times the mean, and those of the share are Clopper-Pearson's
 * (beta.ppf); then Fieller's quadratic formula, with a positive correlation taken for 0.
 */
test.each([
  [[0.01, 0.02, 0.05], [1, 1, 1], 0.006299605249474347, 0.29694743767868986],
  [[0.01, 0.02, 0.03, 0.05, 0.3], [1, 1, 1, 1, 1], 0.019005662509159985, 0.5733066201814411],
  [[0.01, 0.02, 0.03, 0.05, 0.3], [1, 1, 1, 1, 0], 0.019127923055320562, 1.6565545637609815],
  [[0.01, 0.02, 0.03, 0.05, 0.3], [0, 1, 1, 1, 1], 0.023548262104107424, 0.8235805691578828],
])('the interval of costs %j, solved %j, is SciPy’s at any price', (costs, solved, lo, hi) => {
  for (const price of [1, 1e-6, 1e6]) {
    const { interval } = costPerSolved(costs.map((cost, task) => ({ cost: price * cost, solved: solved[task] ?? 0 })));
    expect((interval?.lo ?? 0) / price).toBeCloseTo(lo, 9);
    expect((interval?.hi ?? 0) / price).toBeCloseTo(hi, 9);
  }
});

test('tasks that cost nothing have an interval of nothing', () => {
  const free = { cost: 0, solved: 1 };
  expect(costPerSolved([free, free])).toMatchObject({ value: 0, interval: { lo: 0, hi: 0 } });
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

/** Logarithms with standard deviation `spread`, and a mean of 1. */
const skewed = (random: () => number, spread: number): number => Math.exp(spread * normal(random) - spread ** 2 / 2);
const noise = (share: number, rounds: number): number => 3 * Math.sqrt((share * (1 - share)) / rounds);

test.each([2, 3, 4, 5, 20])('costs of %d tasks, the dearest of which is rarely seen: 93 of 100 intervals hold', (n) => {
  const random = uniform(n);
  const rounds = 1_000;
  let held = 0;
  for (let round = 0; round < rounds; round += 1) {
    const tasks = Array.from({ length: n }, () => ({ cost: skewed(random, 1.4), solved: 1 }));
    const { interval } = costPerSolved(tasks);
    if (interval !== null && interval.lo <= 1 && (interval.hi === null || 1 <= interval.hi)) held += 1;
  }
  expect(held / rounds).toBeGreaterThanOrEqual(0.93 - noise(0.93, rounds));
});

test.each([4, 5, 10, 20])(
  'of %d tasks, one in 20 twenty times as dear: no more than 6 of 100 are false alarms',
  (n) => {
    const random = uniform(n);
    const [rounds, mean] = [600, 0.95 + 0.05 * 20];
    let shown = 0;
    for (let round = 0; round < rounds; round += 1) {
      const rarely = Array.from({ length: n }, () => ({ cost: random() < 0.05 ? 20 : 1, solved: 1 }));
      const always = rarely.map(() => ({ cost: mean * skewed(random, 0.1), solved: 1 }));
      const estimates = (level: number) =>
        [rarely, always].map((own) => ({ ...costPerSolved(own, level), tasks: n, ownTasks: n }));
      const ranks = estimateRanks(estimates(0.95), estimates, { direction: 'lower', alpha: 0.05 });
      if (ranks.some((rank) => rank !== null && rank.better > 0)) shown += 1;
    }
    expect(shown / rounds).toBeLessThanOrEqual(0.06 + noise(0.06, rounds));
  },
);
