/** Three tasks in two repetitions of four samples, counted by hand. */
import { expect, test } from 'vitest';
import { collectPassGroups, type PassGroup } from '../../../studies/pass/results/counts.ts';
import { passAtKRows, repeatRow, taskRows } from '../../../studies/pass/results/rows.ts';
import type { Row } from '../../../schemas/tables.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';

const key = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python', setting: 'temperature_0.8' };
const suite = 'all suites';
const cell = (task: string, repetition: number, passed: number, excluded = 0): Row => ({
  ...{ ...key, task_id: task, variant: 'original', repetition, suite },
  ...{ n_samples: 4 - excluded, n_passed: passed, n_excluded: excluded, simulated: true },
});

/** `T/1` always passes; `T/2` passes in 2 and then in 0 of 4; of `T/3` only one sample counts. */
const rows = [
  cell('T/3', 1, 0, 4),
  cell('T/2', 1, 0),
  cell('T/1', 1, 4),
  cell('T/3', 0, 0, 3),
  cell('T/1', 0, 4),
  cell('T/2', 0, 2),
];
function passGroups(cells: readonly Row[]): PassGroup[] {
  const collector = collectPassGroups();
  // As they come from a run: some tasks, then the others.
  for (const own of Map.groupBy(cells, (row) => row['task_id']).values()) collector.add(own);
  return collector.groups();
}
const [group, ...others] = passGroups(rows);
if (group === undefined) throw new Error('there is one group');

const close = (value: number) => expect.closeTo(value, 12);

test('rows of one model, setting and suite are one group, whatever their order', () => {
  expect(others).toEqual([]);
  expect(group.repetitions).toEqual([0, 1]);
  expect(group.tasks.map(({ taskId }) => taskId)).toEqual(['T/1', 'T/2', 'T/3']);
});

test('a task has its samples of all repetitions', () => {
  expect(taskRows(group)).toMatchObject([
    { task_id: 'T/1', n_samples: 8, n_passed: 8, pass_rate: 1, flaky: false, flaky_across: false, n_solved: 2 },
    {
      ...{ task_id: 'T/2', n_samples: 8, n_passed: 2, pass_rate: 0.25, flaky: true, flaky_across: true, n_solved: 1 },
      ...{ counted_by_repetition: [4, 4], passed_by_repetition: [2, 0], n_repetitions: 2 },
    },
    {
      ...{ task_id: 'T/3', n_samples: 1, n_passed: 0, n_excluded: 7, flaky: null, flaky_across: null },
      ...{ n_repetitions: 1, counted_by_repetition: [1, 0] },
    },
  ]);
});

test('pass@2 and pass^2: over all repetitions, and in each', () => {
  const found = passAtKRows(group, [2]);
  expect(found).toHaveLength(3);
  // T/2: of 8 samples 2 pass; 15 of 28 pairs have none of them, and 1 has both.
  expect(found[0]).toMatchObject({
    ...{ repetition: null, k: 2, n: 2, n_short: 1, n_samples: 16, n_excluded: 7, reason: null },
    ...{ pass_at_k: close((1 + 13 / 28) / 2), pass_hat_k: close((1 + 1 / 28) / 2) },
  });
  // In the first repetition 2 of 4 pass: 1 of 6 pairs has none, 1 has both. In the second none does.
  expect(found[1]).toMatchObject({ repetition: 0, pass_at_k: close((1 + 5 / 6) / 2), n_excluded: 3 });
  expect(found[1]).toMatchObject({ pass_hat_k: close((1 + 1 / 6) / 2), n: 2, n_samples: 8 });
  expect(found[2]).toMatchObject({ repetition: 1, pass_at_k: 0.5, pass_hat_k: 0.5, n: 2, n_excluded: 4 });
});

test("the interval is that of the tasks' values; without tasks there is a reason", () => {
  const [row] = passAtKRows(group, [2]);
  const interval = boundedMeanInterval([1, 13 / 28], { lo: 0, hi: 1 });
  expect([row?.['pass_at_k_lo'], row?.['pass_at_k_hi']]).toEqual([interval?.lo, interval?.hi]);
  expect(passAtKRows(group, [9])[0]).toMatchObject({
    ...{ pass_at_k: null, pass_at_k_lo: null, pass_hat_k: null, n: 0, n_short: 3 },
    reason: 'no task has 9 samples that count',
  });
});

test('one repetition has no rows of its own', () => {
  const [single] = passGroups(rows.filter((row) => row['repetition'] === 0));
  if (single === undefined) throw new Error('there is one group');
  expect(passAtKRows(single, [1, 2]).map((row) => row['repetition'])).toEqual([null, null]);
  expect(repeatRow(single)).toMatchObject({
    ...{ n_repetitions: 1, agreement: null, kappa: null, n: 0, reason: 'there is one repetition only' },
    ...{ flaky: 0.5, n_flaky: 2 },
  });
});

test('repetitions agree in 1 and 1/2 of pairs; kappa is that beyond the pass rates of 1 and 1/4', () => {
  const share = (1 + 0.25) / 2;
  expect(repeatRow(group)).toMatchObject({
    ...{ agreement: close(0.75), n: 2, flaky: 0.5, n_flaky: 2, flaky_across: 0.5, reason: null },
    // T/2: 2 of 6 pairs of the first repetition are equal, and all of the second.
    ...{ agreement_within: close((1 + (1 / 3 + 1) / 2) / 2), n_within: 2 },
    kappa: close(1 - 0.25 / (2 * share * (1 - share))),
  });
});
