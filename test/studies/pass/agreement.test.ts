import { describe, expect, test } from 'vitest';
import scipy from '../../fixtures/scipy/pass.json' with { type: 'json' };
import {
  agreementAcross,
  agreementWithin,
  fleissKappa,
  isFlaky,
  isFlakyAcross,
  type SampleCount,
} from '../../../studies/pass/results/agreement.ts';

const countOf = (verdicts: readonly number[]): SampleCount => ({
  counted: verdicts.length,
  passed: verdicts.filter((verdict) => verdict === 1).length,
});
const countsOf = (repetitions: readonly (readonly number[])[]): SampleCount[] => repetitions.map(countOf);

test.each(scipy.fleiss_kappa.map(({ tasks, kappa }, place) => ({ place, tasks, kappa })))(
  "Fleiss' kappa is statsmodels', averaged over all ways to pair samples: study $place",
  ({ tasks, kappa }) => {
    const found = fleissKappa(tasks.map(countsOf));
    expect(found.value).toBeCloseTo(kappa, 12);
    expect(found.reason).toBeNull();
    expect(found.interval?.lo).toBeLessThan(kappa);
    expect(found.interval?.hi).toBeGreaterThan(kappa);
  },
);

/** By listing every pair. */
const equalPairs = (pairs: readonly (readonly [number, number])[]): number =>
  pairs.filter(([one, other]) => one === other).length / pairs.length;

test.each(scipy.fleiss_kappa.flatMap(({ tasks }) => tasks.slice(0, 3)).map((task) => ({ task })))(
  'agreement counts the equal pairs of $task',
  ({ task }) => {
    const across = task.flatMap((one, place) =>
      task
        .slice(place + 1)
        .map((other) => equalPairs(one.flatMap((verdict) => other.map((its) => [verdict, its] as const)))),
    );
    const average = across.reduce((sum, value) => sum + value, 0) / across.length;
    expect(agreementAcross(countsOf(task))).toBeCloseTo(average, 12);
    const within = task.map((one) =>
      equalPairs(
        one.flatMap((verdict, place) =>
          one.filter((_, other) => other !== place).map((its) => [verdict, its] as const),
        ),
      ),
    );
    const own = agreementWithin(countsOf(task));
    if ((task[0]?.length ?? 0) < 2) expect(own).toBeNull();
    else expect(own).toBeCloseTo(within.reduce((sum, value) => sum + value, 0) / within.length, 12);
  },
);

describe('where there is nothing to compare', () => {
  const none: SampleCount = { counted: 0, passed: 0 };
  const one: SampleCount = { counted: 1, passed: 1 };

  test('one repetition agrees with none, and one sample is neither flaky nor not', () => {
    expect(agreementAcross([one])).toBeNull();
    expect(agreementAcross([one, none])).toBeNull();
    expect(isFlakyAcross([one, none])).toBeNull();
    expect(isFlaky([one, none])).toBeNull();
    expect(agreementWithin([one, one])).toBeNull();
    expect(fleissKappa([[one], [one, none]])).toEqual({
      ...{ value: null, interval: null },
      reason: 'no task has samples in at least two repetitions',
    });
  });

  test('kappa is undefined where all samples have the same verdict', () => {
    expect(fleissKappa([[one, one]])).toMatchObject({ value: null, reason: 'every sample passed' });
    const failed = { counted: 3, passed: 0 };
    expect(fleissKappa([[failed, failed]])).toMatchObject({ value: null, reason: 'every sample failed' });
  });
});

test('a task is flaky by its samples, and across repetitions by whether each solves it', () => {
  const repetitions = (...passed: readonly number[]): SampleCount[] =>
    passed.map((own) => ({ counted: 3, passed: own }));
  expect(isFlaky(repetitions(3, 3))).toBe(false);
  expect(isFlaky(repetitions(0, 0))).toBe(false);
  expect([isFlaky(repetitions(3, 0)), isFlakyAcross(repetitions(3, 0))]).toEqual([true, true]);
  // Each repetition solves it, with another number of samples.
  expect([isFlaky(repetitions(3, 1)), isFlakyAcross(repetitions(3, 1))]).toEqual([true, false]);
});

test('complete agreement has an interval that ends at 1 and begins below it', () => {
  const tasks = Array.from({ length: 20 }, (_, task) => [0, 1].map(() => ({ counted: 1, passed: task % 2 })));
  const { value, interval } = fleissKappa(tasks);
  expect(value).toBe(1);
  expect(interval?.hi).toBe(1);
  expect(interval?.lo).toBeGreaterThan(0);
  expect(interval?.lo).toBeLessThan(1);
});
