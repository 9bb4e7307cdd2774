import { expect, test } from 'vitest';
import { estimateOf, type GateQuestion, type TaskValue } from '../../../domain/gate/estimate.ts';
import { uniform } from '../../../domain/random.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import scipy from '../../fixtures/scipy/gate.json' with { type: 'json' };

const question: GateQuestion = { level: 0.95, direction: 'higher', margin: 5 };
/** `lost` tasks pass only with the old model, `gained` only with the new one, the others with both. */
const binaries = (n: number, lost: number, gained: number): TaskValue[] =>
  Array.from({ length: n }, (_, task) => ({
    taskId: `t${task}`,
    old: task >= lost && task < lost + gained ? 0 : 100,
    now: task < lost ? 0 : 100,
  }));
const points = { kind: 'bounded', lo: 0, hi: 100 } as const;
const passed = (n: number, lost: number, gained: number, more: Partial<GateQuestion> = {}) =>
  estimateOf({ tasks: binaries(n, lost, gained), range: points, names: true }, { ...question, ...more });

test.each(scipy.rows)(
  '$lost lost and $gained gained of $n: bounds as by SciPy, $lo to $hi',
  ({ n, lost, gained, lo, hi }) => {
    const { interval } = passed(n, lost, gained);
    expect(interval?.lo).toBeCloseTo(lo, 5);
    expect(interval?.hi).toBeCloseTo(hi, 5);
  },
);

test('at a margin of 0 the verdict is that of McNemar’s exact test', () => {
  for (const [lost, gained] of [
    [12, 3],
    [5, 0],
    [4, 0],
    [20, 9],
    [1, 1],
  ] as const) {
    const oneSided = mcnemarP(lost, gained) / 2;
    if (lost === gained) continue;
    expect(passed(60, lost, gained, { level: 1 - oneSided - 1e-6 }).interval?.hi).toBeLessThan(0);
    expect(passed(60, lost, gained, { level: 1 - oneSided + 1e-6 }).interval?.hi).toBeGreaterThan(0);
  }
});

test('one task says hardly anything, whatever its result', () => {
  expect(passed(1, 0, 0)).toMatchObject({ old: 100, now: 100, difference: 0, tasks: { n: 1, lost: 0, gained: 0 } });
  // For one task that did not change, the lower bound is the 5 % quantile of -U, U uniform.
  expect(passed(1, 0, 0).interval?.lo).toBeCloseTo(-95, 6);
});

test('tasks that became better or worse are counted and named; direction lower swaps better and worse', () => {
  expect(passed(9, 2, 1).tasks).toMatchObject({ n: 9, lost: 2, gained: 1, lostIds: ['t0', 't1'], gainedIds: ['t2'] });
  expect(passed(9, 2, 1, { direction: 'lower' }).tasks).toMatchObject({ lost: 1, gained: 2, lostIds: ['t2'] });
});

test('a percentage refers to an old value that varies, too: its interval is wider than that of the difference', () => {
  const random = uniform(11);
  const tasks = Array.from({ length: 80 }, (_, task) => ({
    taskId: String(task),
    old: random() < 0.5 ? 100 : 0,
    now: 0,
  }));
  const plain = estimateOf({ tasks, range: points, names: false }, { level: 0.95, direction: 'higher', margin: 100 });
  const all = estimateOf(
    { tasks, range: points, names: false },
    { level: 0.95, direction: 'higher', marginPercent: 100 },
  );
  // The whole old value may be lost: new - 0 x old is never below 0, whatever the true old value is.
  expect(all.interval?.lo).toBeGreaterThanOrEqual(-(all.old ?? 0) - 1e-9);
  expect(plain.interval?.lo).toBeLessThan(-(plain.old ?? 0));
});

test('times are compared by the geometric mean of their ratios: 2, 1/2 and 1 cancel, whatever the times', () => {
  const tasks = (
    [
      [1, 2],
      [1000, 500],
      [5, 5],
    ] as const
  ).map(([old, now], task) => ({ taskId: String(task), old: Math.log(old), now: Math.log(now) }));
  const found = estimateOf(
    { tasks, range: { kind: 'logTime' }, names: false },
    { level: 0.95, direction: 'lower', margin: 10 },
  );
  expect(found.old).toBeCloseTo(5000 ** (1 / 3), 9);
  expect(found.difference).toBeCloseTo(0, 9);
  // Three tasks: an unobserved one may be ten times as slow.
  expect(found.interval?.hi).toBeGreaterThan(100);
  expect(found.interval?.lo).toBeLessThan(-50);
});

test('equal values of a metric without bounds give an interval with a width', () => {
  const tasks = binaries(12, 0, 0);
  const { interval } = estimateOf(
    { tasks, range: { kind: 'assumed', least: 10 }, names: false },
    { level: 0.95, direction: 'lower', margin: 1 },
  );
  // One value 10 beyond, whose weight is Beta(1, 12): 10 (1 - 0.05^(1/12)).
  expect(interval?.hi).toBeCloseTo(10 * (1 - 0.05 ** (1 / 12)), 6);
  expect(interval?.lo).toBeCloseTo(-10 * (1 - 0.05 ** (1 / 12)), 6);
});

test('without tasks there is no estimate', () => {
  expect(estimateOf({ tasks: [], range: points, names: true }, question)).toEqual({
    old: null,
    now: null,
    interval: null,
  });
});
