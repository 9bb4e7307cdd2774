/** Promised power: exact values of SciPy, simulation with the test that decides, and properties. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundIn, powerCells } from '../../../bench/power/cells.ts';
import { powerAdvice } from '../../../domain/statistics/power/advice.ts';
import { modelPair, statedSpread, taskKinds } from '../../../domain/statistics/power/answer-spread.ts';
import {
  cheapestDesign,
  fewestTasks,
  smallestDifference,
  usdOf,
} from '../../../domain/statistics/power/comparison-design.ts';
import { comparisonPower, effectiveAnswers } from '../../../domain/statistics/power/comparison-power.ts';
import { mcnemarPower } from '../../../domain/statistics/power/mcnemar-power.ts';
import scipy from '../../fixtures/scipy/variance/power.json' with { type: 'json' };

test.each(scipy.mcnemar)(
  '$tasks tasks, $gained gained, $lost lost at $alpha: power $power as by SciPy',
  ({ tasks, gained, lost, alpha, power }) => {
    expect(mcnemarPower(tasks, { gained, lost }, alpha)).toBeCloseTo(power, 10);
  },
);

test('kinds of tasks have the stated variances and covariance', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.1, max: 0.24, noNaN: true }),
      fc.double({ min: -0.1, max: 1, noNaN: true }),
      (share, total, correlation) => {
        const between = share * total;
        const pair = modelPair(statedSpread(between, total - between, correlation), 0);
        expect(pair.old * (1 - pair.now)).toBeCloseTo(total, 10);
        expect(pair.shared).toBeCloseTo(correlation * between, 10);
        const { kinds, shared } = taskKinds(pair);
        const mean = (of: (kind: (typeof kinds)[number]) => number): number =>
          kinds.reduce((sum, kind) => sum + kind.weight * of(kind), 0);
        const [old, now] = [mean((kind) => kind.old), mean((kind) => kind.now)];
        expect(mean(() => 1)).toBeCloseTo(1, 10);
        // Quantiles are a little less spread than their distribution.
        expect(Math.abs(old - pair.old)).toBeLessThan(0.012);
        expect(Math.abs(mean((kind) => kind.now ** 2) - now ** 2 - between)).toBeLessThan(0.012);
        expect(mean((kind) => kind.old * kind.now) - old * now).toBeCloseTo(shared, 10);
        expect(Math.abs(shared - correlation * between)).toBeLessThan(0.012);
      },
    ),
  );
});

/** Some of `npm run bench -- power`, with its seeds fixed. */
const checked = powerCells(['beta']).filter(
  ({ truth, size }, index) => truth.difference >= 0.1 && size.tasks >= 10 && index % 5 === 0,
);

test.each(checked.map((cell) => [`${cell.name} ${JSON.stringify(cell.size)}`, cell] as const))(
  '%s: found as often as promised, within 2 points',
  (_name, cell) => {
    const comparisons = 1_500;
    const error = Math.sqrt((cell.promised * (1 - cell.promised)) / comparisons);
    expect(Math.abs(foundIn(cell, comparisons, 7) - cell.promised)).toBeLessThanOrEqual(0.02 + 2 * error);
  },
);

test('the simulation notices a promise that is 5 points wrong', () => {
  const cell = checked[0];
  if (cell === undefined) throw new Error('no cell to check');
  const fewer = { ...cell, size: { ...cell.size, tasks: Math.round(cell.size.tasks * 0.75) } };
  expect(foundIn(fewer, 1_500, 7)).toBeLessThan(cell.promised - 0.05);
});

const spread = statedSpread(0.09, 0.06, 0.7);
const truth = { spread, difference: 0.05, alpha: 0.05 };
const powerOf = comparisonPower(truth);

test('the fewest tasks have the power, one task less does not', () => {
  for (const split of [
    { repetitions: 1, samples: 1 },
    { repetitions: 4, samples: 1 },
  ]) {
    const tasks = fewestTasks(split, powerOf, 0.8, 100_000) ?? 0;
    expect(powerOf({ ...split, tasks })).toBeGreaterThanOrEqual(0.8);
    expect(powerOf({ ...split, tasks: tasks - 1 })).toBeLessThan(0.8);
    expect(fewestTasks(split, powerOf, 0.8, tasks - 1)).toBeNull();
  }
});

test('the smallest difference is the one at which a design reaches its power', () => {
  const size = { tasks: 200, repetitions: 3, samples: 1 };
  const smallest = smallestDifference(size, truth, 0.8) ?? 0;
  expect(comparisonPower({ ...truth, difference: smallest })(size)).toBeCloseTo(0.8, 4);
  // With four tasks McNemar's p is never below 1/8.
  expect(smallestDifference({ tasks: 4, repetitions: 1, samples: 1 }, truth, 0.8)).toBeNull();
});

test('costs: a request for several samples pays its prompt once', () => {
  const price = { prompt: 3, answer: 5, samplesPerRequest: 4 };
  expect(usdOf({ tasks: 10, repetitions: 2, samples: 6 }, [price])).toBe(10 * 2 * (2 * 3 + 6 * 5));
});

test('the cheapest split is the cheapest of all splits, tried one by one', () => {
  const prices = [
    { prompt: 10, answer: 1, samplesPerRequest: 8 },
    { prompt: 10, answer: 2, samplesPerRequest: 8 },
  ];
  const limits = { tasks: 2_000, answers: 12 };
  const repeated = comparisonPower({ ...truth, spread: { ...spread, runShare: 0.2 } });
  let least = Infinity;
  for (let repetitions = 1; repetitions <= 12; repetitions += 1)
    for (let samples = 1; repetitions * samples <= 12; samples += 1) {
      const tasks = fewestTasks({ repetitions, samples }, repeated, 0.8, limits.tasks);
      if (tasks !== null) least = Math.min(least, usdOf({ tasks, repetitions, samples }, prices));
    }
  const found = cheapestDesign(repeated, 0.8, limits, prices);
  expect(found?.usd).toBeCloseTo(least, 9);
  expect(found?.samples).toBeGreaterThan(1);
});

test('if every answer costs the same, more tasks are always better than more answers', () => {
  expect(cheapestDesign(powerOf, 0.8, { tasks: null, answers: 20 }, null)).toMatchObject({
    repetitions: 1,
    samples: 1,
  });
});

test('too few tasks: more answers make up for them if they can, else the smallest difference is told', () => {
  const question = { difference: 0.05, power: 0.8, alpha: 0.05 };
  const single = fewestTasks({ repetitions: 1, samples: 1 }, powerOf, 0.8, 100_000) ?? 0;
  const more = powerAdvice(question, { spread, tasks: single - 50, prices: null });
  expect(more.isReachable).toBe(true);
  const cheapest = more.designs.find(({ name }) => name === 'cheapest');
  expect(cheapest?.repetitions).toBeGreaterThan(1);
  expect(cheapest?.tasks).toBeLessThanOrEqual(single - 50);
  const few = powerAdvice(question, { spread, tasks: 40, prices: null });
  expect(few.isReachable).toBe(false);
  expect(few.designs.map(({ name }) => name)).toEqual(['all tasks, one answer', 'all tasks, most answers']);
  for (const { smallest, power } of few.designs) {
    expect(smallest).toBeGreaterThan(0.05);
    expect(power).toBeLessThan(0.8);
  }
});

test('one answer per task: nothing is promised about more', () => {
  const unknown = { total: 0.2, between: null, shared: 0.12, runShare: 0 };
  const { designs } = powerAdvice(
    { difference: 0.1, power: 0.8, alpha: 0.05 },
    { spread: unknown, tasks: null, prices: null },
  );
  expect(designs.every(({ repetitions, samples }) => repetitions * samples === 1)).toBe(true);
  // All that counts is how often only one of them passes: the rate is such that p (1 - p) = 0.2.
  const old = (1 + Math.sqrt(0.2)) / 2 - 0.05;
  const [now, deviation] = [old + 0.1, Math.sqrt(old * (1 - old) * (old + 0.1) * (0.9 - old))];
  const both = old * now + 0.6 * deviation;
  const [design] = designs;
  expect(design?.power).toBeCloseTo(
    mcnemarPower(design?.tasks ?? 0, { gained: now - both, lost: old - both }, 0.05),
    10,
  );
});

test('samples of one repetition that have everything in common count as one', () => {
  expect(effectiveAnswers({ repetitions: 3, samples: 5 }, 1)).toBe(3);
  expect(effectiveAnswers({ repetitions: 3, samples: 5 }, 0)).toBe(15);
});

// Red before: "5 tasks, 3 repetitions: 97.5 %" for 90 points.
test('five tasks show no difference, however many answers: the smallest p of five signs is 2 / 2^5', () => {
  const sure = { spread: statedSpread(0, 0.058, 0), difference: 0.9, alpha: 0.05 };
  const powerAt = (tasks: number, alpha = 0.05) =>
    comparisonPower({ ...sure, alpha })({ tasks, repetitions: 100, samples: 1 });
  expect([1, 2, 3, 4, 5].map((tasks) => powerAt(tasks))).toEqual([0, 0, 0, 0, 0]);
  expect(powerAt(6)).toBeGreaterThan(0.9);
  expect(powerAt(5, 0.07)).toBeGreaterThan(0.9);
  const advice = powerAdvice({ difference: 0.9, power: 0.8, alpha: 0.05 }, { ...sure, tasks: 5, prices: null });
  expect([advice.isReachable, ...advice.designs.map(({ power }) => power)]).toEqual([false, 0, 0]);
});
