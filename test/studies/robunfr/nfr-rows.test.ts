/** Rows of `nfr_summary`, `nfr_workflows` and `regression` from solutions whose numbers can be counted by hand. */
import { deviationInterval } from '../../../domain/statistics/intervals/deviation-interval.ts';
import { expect, test } from 'vitest';
import type { Solution } from '../../../domain/metrics/nfr-solutions.ts';
import type { Outcome } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { nfrSummaryRows } from '../../../studies/robunfr/results/rows/summary-rows.ts';
import { nfrWorkflowRows } from '../../../studies/robunfr/results/rows/workflow-rows.ts';
import { regressionRows } from '../../../studies/robunfr/results/rows/regression-rows.ts';
import { collectWorkflowTimes } from '../../../studies/robunfr/results/rows/workflow-times.ts';

const solution = (taskId: string, variant: string, more: Partial<Solution> = {}): Solution => ({
  taskId,
  setting: variant === 'original' ? 'function-only' : 'nfr-integrated',
  dimension: variant === 'original' ? 'function-only' : 'guard',
  variant,
  repetition: 0,
  phrasing: variant === 'original' ? null : variant,
  outcomes: new Map([['base', 'pass']]),
  quality: null,
  timing: null,
  simulated: false,
  ...more,
});
const quality = (codeSmells: number, loc: number) => ({ codeSmells, unreadability: 0, exceptionHandling: 0, loc });
const timing = (wallMs: number, passed = true) => ({ wallMs, cpuMs: wallMs, passed });
const key = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python' };
const settings = { ceiling: () => 0.5, missing: () => 'not measured' };

const summaries = (solutions: readonly Solution[]) => nfrSummaryRows(key, solutions, settings).nfr_summary;
const summarized = (solutions: readonly Solution[]) => {
  const { nfr_summary, behind } = nfrSummaryRows(key, solutions, settings);
  return behind.map((one, index) => ({ ...one, row: nfr_summary[index] ?? {} }));
};
const testsOf = (solutions: readonly Solution[]) => {
  const times = collectWorkflowTimes();
  times.add(solutions);
  return times.tests();
};
const rowOf = (solutions: readonly Solution[], dimension: string, metric: string) =>
  summaries(solutions).find((row) => row['dimension'] === dimension && row['metric'] === metric);

test('a corpus density is all messages over all lines; solutions without one are excluded and counted', () => {
  const solutions = [
    solution('1', 'original', { quality: quality(1, 10) }),
    solution('2', 'original', { quality: quality(1, 40) }),
    solution('1', 'guard-01', { quality: quality(3, 10) }),
    solution('2', 'guard-01', { quality: quality(0, 20) }),
    solution('1', 'guard-02', { quality: quality(1, 5) }),
    solution('2', 'guard-02'),
  ];
  // Phrasings: 3 in 30 lines is 1 in ten; 1 in 5 lines is 2. Function-Only on the same tasks: 2 in 50, and 1 in 10.
  expect(rowOf(solutions, 'guard', 'code_smell')).toMatchObject({
    mean: 1.5,
    n: 3,
    n_excluded: 1,
    n_values: 2,
    function_only: 0.7,
    reason: null,
  });
  expect(rowOf(solutions, 'guard', 'code_smell')?.['delta_percent']).toBeCloseTo(100 * (0.8 / 0.7), 9);
  expect(rowOf(solutions, 'guard', 'wall_ms')).toMatchObject({ mean: null, reason: 'not measured', mean_lo: null });
});

test('times of all solutions and of passing ones are separate, and a stopped one has none', () => {
  const solutions = [
    solution('1', 'original', { timing: timing(10) }),
    solution('2', 'original', { timing: timing(30, false), outcomes: new Map([['base', 'wrong_output']]) }),
    solution('3', 'original', { outcomes: new Map([['base', 'cpu_timeout']]) }),
  ];
  expect(rowOf(solutions, 'function-only', 'wall_ms')).toMatchObject({ mean: 20, n: 2, n_excluded: 1 });
  expect(rowOf(solutions, 'function-only', 'wall_ms_passing')).toMatchObject({ mean: 10, n: 1, n_excluded: 2 });
});

// Red before: all tasks of Function-Only were in `function_only`, so that easy tasks made a requirement look helpful.
test('answers that could not be judged do not change what is compared with Function-Only', () => {
  const outcomes = (outcome: Outcome) => ({ outcomes: new Map([['base', outcome]]) });
  const tasks = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const isEasy = (task: string) => Number(task) <= 4;
  const own = (task: string) => outcomes(isEasy(task) ? 'pass' : 'wrong_output');
  const unjudged = outcomes('missing_dependency');
  const plain = tasks.map((task) => solution(task, 'original', own(task)));
  const change = (solutions: readonly Solution[]): Row => ({
    ...rowOf([...plain, ...solutions], 'guard', 'pass_at_1'),
    over_models:
      nfrWorkflowRows(summarized([...plain, ...solutions]), []).find(
        (row) => row['dimension'] === 'guard' && row['metric'] === 'pass_at_1',
      )?.['delta_percent'] ?? null,
  });
  const [first, second] = [
    tasks.map((task) => solution(task, 'guard-01', own(task))),
    tasks.map((task) => solution(task, 'guard-02', isEasy(task) ? own(task) : unjudged)),
  ];
  // The hard tasks were judged with no phrasing, and with one of two.
  const whole = change(second);
  expect(whole).toMatchObject({ mean: 100, function_only: 100, delta_percent: 0, over_models: 0, n_tasks: 4 });
  const partly = change([...first, ...second]);
  expect(partly).toMatchObject({ mean: 75, function_only: 75, delta_percent: 0, over_models: 0, n_tasks: 8 });
  for (const row of [whole, partly])
    expect([Number(row['delta_percent_lo']) <= 0, Number(row['delta_percent_hi']) >= 0]).toEqual([true, true]);
  // Phrasing 2 may be 50, as phrasing 1 is: STDEV may be 0, and is 0 on the tasks judged with both.
  expect(partly).toMatchObject({ stdev: expect.closeTo(50 / Math.SQRT2, 9), stdev_lo: 0 });
  // Function-Only lacks the hard tasks: the change is of the others.
  const lacking = [...plain.filter(({ taskId }) => isEasy(taskId)), ...first];
  const row = rowOf(lacking, 'guard', 'pass_at_1');
  expect(row).toMatchObject({ mean: 50, function_only: 100, delta_percent: 0, n_tasks: 8 });
});

test('evenkeel’s limits are excluded from pass, an answer without code is not; the ceiling is given too', () => {
  const solutions = [
    solution('1', 'original'),
    solution('2', 'original', { outcomes: new Map([['base', 'no_code']]) }),
    solution('3', 'original', { outcomes: new Map([['base', 'missing_dependency']]) }),
  ];
  expect(rowOf(solutions, 'function-only', 'pass_at_1')).toMatchObject({
    mean: 50,
    n: 2,
    n_excluded: 1,
    ceiling: 50,
    stdev: null,
  });
});

test('where all tasks agree the mean has Clopper and Pearson’s interval: 3 of 3 is 29.2 to 100', () => {
  const solutions = ['1', '2', '3'].map((task) => solution(task, 'original'));
  expect(rowOf(solutions, 'function-only', 'pass_at_1')).toMatchObject({ mean: 100, mean_hi: 100, n_tasks: 3 });
  expect(rowOf(solutions, 'function-only', 'pass_at_1')?.['mean_lo']).toBeCloseTo(100 * 0.025 ** (1 / 3), 6);
});

test('STDEV of phrasings that agree wholly ends where one solution less would put its end', () => {
  const solutions = ['1', '2', '3', '4'].flatMap((task) => [solution(task, 'guard-01'), solution(task, 'guard-02')]);
  // Steps of 25 %: s = 25 / sqrt 2 of two values; chi-square with one degree has 0.000982 below which lie 2.5 %.
  const end = 25 / Math.SQRT2 / Math.sqrt(0.000982069);
  expect((deviationInterval([100, 100], 25)?.hi ?? 0) / end).toBeCloseTo(1, 4);
  // That is more than any distribution of shares has.
  expect(rowOf(solutions, 'guard', 'pass_at_1')).toMatchObject({ stdev: 0, stdev_lo: 0, stdev_hi: 50 });
});

test('one slow task decides the change of the mean time, and hardly the ratio of times', () => {
  const tasks = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const solutions = tasks.flatMap((task) => {
    // The first takes a second in place of ten milliseconds, the others half as long as before.
    const [before, after] = task === '1' ? [10, 1000] : [10, 5];
    return [
      solution(task, 'original', { timing: timing(before) }),
      solution(task, 'guard-01', { timing: timing(after) }),
    ];
  });
  const row = rowOf(solutions, 'guard', 'wall_ms');
  expect(row).toMatchObject({ mean: 1035 / 8, function_only: 10, n_ratio: 8 });
  expect(row?.['delta_percent']).toBeCloseTo(100 * (1035 / 80 - 1), 9);
  expect(row?.['ratio']).toBeCloseTo((100 * 0.5 ** 7) ** (1 / 8), 12);
  expect(Number(row?.['ratio_lo'])).toBeLessThan(0.97);
  expect(Number(row?.['ratio_hi'])).toBeGreaterThan(0.97);
  expect(rowOf(solutions, 'function-only', 'wall_ms')).toMatchObject({ ratio: null, n_ratio: null });
  expect(rowOf(solutions, 'guard', 'pass_at_1')).toMatchObject({ ratio: null });
});

// Red before: 0, with an interval of -80 to 80.
test('Function-Only differs from itself by 0, which is known and has no interval; a requirement has one', () => {
  const solutions = ['1', '2', '3', '4'].flatMap((task, place) => [
    solution(task, 'original', { outcomes: new Map([['base', place === 0 ? 'wrong_output' : 'pass']]) }),
    solution(task, 'guard-01'),
  ]);
  const own = (rows: readonly Row[], dimension: string) =>
    rows
      .filter((row) => row['metric'] === 'pass_at_1' && row['dimension'] === dimension)
      .map((row) => ['delta_percent', 'delta_percent_lo', 'delta_percent_hi'].map((name) => row[name]));
  for (const rows of [summaries(solutions), nfrWorkflowRows(summarized(solutions), [])]) {
    expect(own(rows, 'function-only')).toEqual([[0, null, null]]);
    expect(own(rows, 'guard')).toEqual([[expect.closeTo(100 / 3, 9), expect.any(Number), expect.any(Number)]]);
  }
});

test('RQ3: the paired t-test is over tasks, by their mean times in each workflow', () => {
  const both = (task: string, integrated: readonly number[], enhanced: readonly number[]): Solution[] => [
    ...integrated.map((ms, index) => solution(task, `guard-0${index + 1}`, { timing: timing(ms) })),
    ...enhanced.map((ms, index) =>
      solution(task, `guard-0${index + 1}`, { setting: 'nfr-enhanced', timing: timing(ms) }),
    ),
  ];
  // Differences of the tasks' means: 1, 2, 3. t = 2 / (1 / sqrt 3) with 2 degrees of freedom;
  // P(|T| > t) = 1 - t / sqrt(t² + 2).
  const solutions = [
    ...both('1', [1, 3], [3, 3]),
    ...both('2', [2, 2], [3, 5]),
    ...both('3', [5], [8]),
    ...both('4', [7], []),
  ];
  const [wall] = testsOf(solutions).filter(({ metric }) => metric === 'wall_ms');
  const t = 2 * Math.sqrt(3);
  expect(wall?.n).toBe(3);
  expect(wall?.p).toBeCloseTo(1 - t / Math.sqrt(t ** 2 + 2), 9);
  const rows = nfrWorkflowRows(summarized(solutions), testsOf(solutions));
  const enhanced = rows.find((row) => row['metric'] === 'wall_ms' && row['setting'] === 'nfr-enhanced');
  expect(enhanced).toMatchObject({ n_tasks: 3, n_models: 1, n_ratio_workflows: 3 });
  // Tasks: 3 over sqrt 3, sqrt 15 over 2, 8 over 5; all grew, which signs alone put at 2 of 8.
  const ratio = (Math.sqrt(3) * (Math.sqrt(15) / 2) * 1.6) ** (1 / 3);
  expect(enhanced?.['ratio_workflows']).toBeCloseTo(ratio, 9);
  expect(enhanced?.['p_ratio_workflows']).toBeCloseTo(0.25, 9);
  const integrated = rows.find((row) => row['metric'] === 'wall_ms' && row['setting'] === 'nfr-integrated');
  expect(integrated?.['ratio_workflows']).toBeCloseTo(1 / ratio, 9);
});

// Red before: the slow model was in the first workflow alone, which seemed 30 times slower than the second.
test('RQ3: workflows are compared by the models that were timed in both', () => {
  const timed = (setting: string, ms: number) =>
    ['1', '2', '3'].map((task) => solution(task, 'guard-01', { setting, timing: timing(ms) }));
  const times = collectWorkflowTimes();
  times.add(timed('nfr-integrated', 90));
  times.add([...timed('nfr-integrated', 2), ...timed('nfr-enhanced', 3)]);
  const wall = times.tests().find(({ metric }) => metric === 'wall_ms');
  expect(wall?.n).toBe(3);
  expect(wall?.logs).toEqual([1, 2, 3].map(() => expect.closeTo(Math.log(1.5), 12)));
});

test('versions are compared on the tasks, places and phrasings that both have', () => {
  const old = [
    solution('1', 'guard-01'),
    solution('2', 'guard-01'),
    solution('3', 'guard-01'),
    solution('1', 'guard-02'),
  ];
  const now = [
    solution('1', 'guard-01', { outcomes: new Map([['base', 'exception']]) }),
    solution('2', 'guard-01'),
    solution('4', 'guard-01'),
    solution('1', 'guard-02', { phrasing: 'worded otherwise' }),
  ];
  const margins = {
    pass_at_1: 0,
    code_smell: 0,
    unreadability: 0,
    exception_handling: 0,
    wall_ms: 0,
    cpu_ms: 0,
    wall_ms_passing: 0,
    cpu_ms_passing: 0,
  };
  const rows = regressionRows(
    { run: 'r', study: 's', old_model: 'a', model: 'b', benchmark: 'b', language: 'python' },
    { old, now },
    { seed: 1, alpha: 0.05, margins, missing: () => 'not measured' },
  );
  const pass = rows.find((row) => row['metric'] === 'pass_at_1');
  expect(pass).toMatchObject({
    old_mean: 100,
    new_mean: 50,
    difference: -50,
    n: 2,
    method: 'mcnemar_exact',
    verdict: 'inconclusive',
  });
  expect(rows.find((row) => row['metric'] === 'code_smell')).toMatchObject({
    difference: null,
    reason: 'not measured',
    verdict: 'inconclusive',
  });
});
