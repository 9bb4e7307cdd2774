/** Variance parts of answers against statsmodels and NumPy, and by hand. */
import { expect, test } from 'vitest';
import { stdevParts } from '../../../domain/metrics/variance/stdev-parts.ts';
import { taskSums } from '../../../domain/statistics/variance/answer-groups.ts';
import { partEstimates } from '../../../domain/statistics/variance/part-estimates.ts';
import { partNames, varianceParts } from '../../../domain/statistics/variance/variance-parts.ts';
import { observedSpread } from '../../../domain/statistics/power/observed-spread.ts';
import { randomOf } from '../../../bench/coverage/random.ts';
import oracle from '../../fixtures/scipy/variance/variance_parts.json' with { type: 'json' };

interface Case {
  readonly answers: readonly (readonly (readonly (readonly (readonly number[])[])[])[])[];
  readonly parts: Readonly<Record<string, number>>;
  readonly mixed?: Readonly<Record<string, number>>;
}
const cases = oracle.cases as readonly Case[];
const sizesOf = ({ answers }: Case): string =>
  [answers, answers[0], answers[0]?.[0], answers[0]?.[0]?.[0], answers[0]?.[0]?.[0]?.[0]]
    .map((list) => list?.length)
    .join(' x ');
const partsOf = ({ answers }: Case) =>
  varianceParts(answers.map(taskSums), answers[0]?.length ?? 0, answers[0]?.[0]?.length ?? 0);

test.each(cases.map((one) => [sizesOf(one), one] as const))(
  'tasks x models x variants x runs x samples %s: as by statsmodels',
  (_sizes, one) => {
    const found = partsOf(one);
    for (const part of partNames) {
      const expected = one.parts[part];
      if (expected === undefined) expect([part, found?.[part]]).toEqual([part, null]);
      else expect(found?.[part], part).toBeCloseTo(expected, 10);
    }
  },
);

test('REML of a mixed model finds the same parts in balanced data without a negative part', () => {
  const mixed = cases.filter((one) => one.mixed !== undefined);
  expect(mixed).toHaveLength(2);
  for (const one of mixed)
    for (const [part, value] of Object.entries(one.mixed ?? {}))
      expect(partsOf(one)?.[part as (typeof partNames)[number]], part).toBeCloseTo(value, 4);
});

test('unequal numbers of repetitions and samples: unbiased over many draws', () => {
  // Rates of tasks 0.2 and 0.8 with the same probability: between 0.09, within 0.16; two models that do not differ.
  const random = randomOf(5);
  const sums = { task: 0, model: 0, model_task: 0, sample: 0 };
  const draws = 3_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const tasks = Array.from({ length: 8 }, (_, index) => {
      const rate = random.uniform() < 0.5 ? 0.2 : 0.8;
      const answers = (count: number): number[] => Array.from({ length: count }, () => Number(random.uniform() < rate));
      return taskSums([[[answers(1 + (index % 3))]], [[answers(4), answers(1)]]]);
    });
    const parts = varianceParts(tasks, 2, 1);
    for (const name of ['task', 'model', 'model_task', 'sample'] as const) sums[name] += (parts?.[name] ?? 0) / draws;
  }
  expect(sums.task).toBeCloseTo(0.09, 2);
  expect(sums.sample).toBeCloseTo(0.16, 2);
  expect(Math.abs(sums.model)).toBeLessThan(0.004);
  expect(Math.abs(sums.model_task)).toBeLessThan(0.004);
});

test('one model and one answer per task: all is sample; one task: nothing is known', () => {
  const tasks = [1, 0, 1, 1].map((passed) => taskSums([[[[passed]]]]));
  expect(varianceParts(tasks, 1, 1)).toMatchObject({ task: null, run: null, model: null });
  // The sample variance of 1, 0, 1, 1.
  expect(varianceParts(tasks, 1, 1)?.sample).toBeCloseTo(0.25, 12);
  expect(varianceParts(tasks.slice(0, 1), 1, 1)).toBeNull();
});

test('intervals contain their estimates, are never empty, and shares add up to 1', () => {
  for (const one of cases) {
    const estimates = partEstimates(
      one.answers.map(taskSums),
      one.answers[0]?.length ?? 0,
      one.answers[0]?.[0]?.length ?? 0,
    );
    let total = 0;
    for (const { variance, interval, share, shareInterval } of estimates ?? []) {
      if (variance === null) continue;
      total += share ?? 0;
      expect(interval?.lo).toBeLessThanOrEqual(variance);
      expect(interval?.hi).toBeGreaterThanOrEqual(variance);
      expect((interval?.hi ?? 0) - (interval?.lo ?? 0)).toBeGreaterThan(0);
      expect(shareInterval?.lo).toBeLessThanOrEqual(share ?? 0);
      expect(shareInterval?.hi).toBeGreaterThanOrEqual(share ?? 1);
    }
    expect(total).toBeCloseTo(1, 12);
  }
});

// By hand: rows and columns have equal means, so that all of the squares, 8 / 4, are left for (2 - 1) (4 - 1) degrees
// of freedom: 2/3. On all tasks the two could have at most 1/4 each, less their covariance of -1/4. Red before: 2/3.
test('two models that pass just the other tasks of four: no more than on infinitely many such tasks', () => {
  const tasks = [0, 0, 1, 1].map((passed) => taskSums([[[[passed]]], [[[1 - passed]]]]));
  expect(varianceParts(tasks, 2, 1)?.sample).toBeCloseTo(2 / 3, 12);
  const sample = partEstimates(tasks, 2, 1)?.find(({ part }) => part === 'sample');
  expect([sample?.variance, sample?.interval?.hi]).toEqual([0.5, 0.5]);
  expect(sample?.interval?.lo).toBeLessThan(0.5);
});

// By hand: the sample variance of 0, 0, 1, 1 is 1/3. Rates vary by at most 1/4 (Popoviciu).
test('a few tasks that differ as much as they can: no variance of a rate above 1/4', () => {
  const decided = [0, 0, 1, 1].map((passed) => taskSums([[[[passed, passed]]], [[[passed, passed]]]]));
  expect(varianceParts(decided, 2, 1)?.task).toBeCloseTo(1 / 3, 12);
  const task = partEstimates(decided, 2, 1)?.find(({ part }) => part === 'task');
  expect([task?.variance, task?.interval?.hi]).toEqual([0.25, 0.25]);
  const { between, spread } = observedSpread(decided, 2) ?? {};
  expect([between?.value, between?.interval?.hi]).toEqual([0.25, 0.25]);
  expect(spread).toEqual({ total: 0.25, between: 0.25, shared: 0.25, runShare: 0 });
  // Within a task: samples 0 and 1 have the sample variance 1/2.
  const undecided = [0, 1, 2].map(() => taskSums([[[[0, 1]]], [[[1, 0]]]]));
  const within = observedSpread(undecided, 2)?.within;
  expect([within?.value, within?.interval?.hi]).toEqual([0.25, 0.25]);
});

// Two models x two wordings x tasks t = 0, 1 that pass where model xor wording xor t: by hand, 1/4 + 1/4 + 1/4 + 1/4.
test('an interaction of models and wordings may be all that there is: 1, not 1/4', () => {
  const cell = (passed: number) => [[passed, passed]];
  const tasks = Array.from({ length: 100 }, (_, index) => index % 2).map((t) =>
    taskSums([0, 1].map((model) => [0, 1].map((wording) => cell(model ^ wording ^ t)))),
  );
  const part = partEstimates(tasks, 2, 2)?.find((one) => one.part === 'model_task_variant');
  expect([part?.variance, part?.interval?.hi]).toEqual([1, 1]);
});

// By NumPy: the delete-group jackknife of the covariance over the mean variance (or over the total), with Student's t.
test('two models that seem to fail on different tasks: as wide around 0 as the data say', () => {
  const tasks = Array.from({ length: 180 }, (_, i) => {
    const first = i % 2;
    const second = (i * i + Math.floor(i / 9)) % 5 < 2 ? 1 - first : Math.floor(i / 2) % 2;
    return taskSums([[[[first]]], [[[second]]]]);
  });
  const { correlation, spread } = observedSpread(tasks, 2) ?? {};
  expect(correlation?.value).toBe(0);
  // Red before: below 0, so that a comparison was planned with another correlation than the one that is shown.
  expect(spread?.shared).toBe(0);
  expect(correlation?.interval?.lo).toBe(0);
  expect(correlation?.interval?.hi).toBeCloseTo(0.3153908275431366, 10);
  const shares = partEstimates(tasks, 2, 1)?.filter(({ part }) => part === 'task' || part === 'sample');
  expect(shares?.map(({ share }) => share)).toEqual([0, expect.closeTo(1, 10)]);
  expect(shares?.[0]?.shareInterval).toEqual({ lo: 0, hi: expect.closeTo(0.32588969998496436, 10) });
  expect(shares?.[1]?.shareInterval?.lo).toBeCloseTo(1 - 0.34951847558730204, 10);
});

test('of 164 tasks none was passed by both models: their correlation may still be large', () => {
  const tasks = Array.from({ length: 164 }, (_, i) => taskSums([[[[Number(i < 5)]]], [[[Number(i > 158)]]]]));
  // An unseen share u of the tasks, passed by both, raises the covariance by about u: 0.022 of 0.030.
  expect(observedSpread(tasks, 2)?.correlation?.interval?.hi).toBeGreaterThan(0.3);
});

test('the spread for a comparison: two models on the same tasks', () => {
  const one = cases.find(({ mixed, answers }) => mixed !== undefined && answers[0]?.length === 4) as Case;
  const { task = 0, model_task = 0, sample = 0 } = one.parts;
  const found = observedSpread(one.answers.map(taskSums), 4);
  expect(found?.between?.value).toBeCloseTo(task + model_task, 10);
  expect(found?.within?.value).toBeCloseTo(sample, 10);
  expect(found?.correlation?.value).toBeCloseTo(task / (task + model_task), 10);
  expect(found?.spread.total).toBeCloseTo(task + model_task + sample, 10);
});

test.each(oracle.spreads)('STDEV $stdev over phrasings: phrasing $phrasing, chance $chance', (one) => {
  const tasks = one.passed.map((row) => row.map((passed) => ({ numerator: passed, denominator: 1 })));
  const found = stdevParts(tasks, 100);
  expect(found?.phrasing.value).toBeCloseTo(one.phrasing, 10);
  expect(found?.chance.value).toBeCloseTo(one.chance, 10);
  expect(found?.tasks).toBe(one.passed.length);
});

test('STDEV: phrasings that decide everything, a task without an answer, and too few', () => {
  const part = (numerator: number) => ({ numerator, denominator: 1 });
  const decided = [
    [part(1), part(0)],
    [part(1), part(0)],
  ];
  expect(stdevParts(decided, 1)).toMatchObject({ phrasing: { value: Math.SQRT1_2 }, chance: { value: 0 } });
  expect(stdevParts([...decided, [part(1), null]], 1)?.tasks).toBe(2);
  expect(stdevParts([[part(1)], [part(0)]], 1)).toBeNull();
  expect(stdevParts(decided.slice(0, 1), 1)).toBeNull();
});
