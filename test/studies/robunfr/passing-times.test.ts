/** Times of two versions are judged by programs that pass in both: one that fails at once is not fast. */
import { expect, test } from 'vitest';
import { solutionsSource } from '../../../analysis/gate/solutions.ts';
import type { Sides } from '../../../analysis/gate/compared.ts';
import type { Solution } from '../../../domain/metrics/nfr-solutions.ts';
import { solutionMetricNames } from '../../../domain/metrics/solution-metrics.ts';
import { regressionRows } from '../../../studies/robunfr/results/rows/regression-rows.ts';

const solution = (task: number, wallMs: number, passed: boolean): Solution => ({
  ...{ taskId: `t${task}`, setting: 'nfr-integrated', dimension: 'reliability', variant: 'reliability-01' },
  ...{ repetition: 0, phrasing: 'be reliable', outcomes: new Map([['base', passed ? 'pass' : 'wrong_output']]) },
  ...{ quality: null, timing: { wallMs, cpuMs: wallMs, passed }, simulated: false },
});
const tasks = Array.from({ length: 60 }, (_, task) => task);
const old = tasks.map((task) => solution(task, 10, true));
/** Twenty programs fail at once; the others take as long as before. */
const broken = tasks.map((task) => (task < 20 ? solution(task, 0.1, false) : solution(task, 10, true)));

// Red before: "wall time better (x 0.215)".
test('a version that breaks programs is not faster by that', () => {
  const margins = Object.fromEntries(solutionMetricNames.map((name) => [name, 0])) as Record<
    (typeof solutionMetricNames)[number],
    number
  >;
  const rows = regressionRows(
    { run: 'r', study: 's', old_model: 'a', model: 'b', benchmark: 'b', language: 'python' },
    { old, now: broken },
    { seed: 1, alpha: 0.05, margins, missing: () => 'not measured' },
  );
  const rowOf = (metric: string) => rows.find((row) => row['metric'] === metric);
  expect(rowOf('pass_at_1')).toMatchObject({ verdict: 'worse' });
  for (const metric of ['wall_ms', 'cpu_ms', 'wall_ms_passing', 'cpu_ms_passing'])
    expect(rowOf(metric), metric).toMatchObject({ ratio: 1, n_ratio: 40, p: 1 });
  // The mean is of all programs that finished, as its name says.
  expect(rowOf('wall_ms')).toMatchObject({ old_mean: 10, new_mean: expect.closeTo((40 * 10 + 20 * 0.1) / 60, 9) });
  expect(rowOf('wall_ms')?.['verdict']).not.toBe('better');
});

// Red before: a change of -78 % in cpu_ratio, over 60 tasks.
test('a gate and a comparison see no change of time either', async () => {
  const source = solutionsSource((_, { model }) => Promise.resolve(model === 'old' ? old : broken));
  const side = (model: string) => ({ manifest: { runId: 'r' }, study: { name: 's', benchmark: 'b' }, model });
  const sides = { sides: [side('old'), side('new')], changed: new Set() } as unknown as Sides;
  const found = await source(undefined as never, sides);
  for (const metric of ['cpu_ratio', 'wall_ratio', 'cpu_ms', 'wall_ms', 'cpu_ratio_passing']) {
    const values = found.find(({ subject }) => subject.metric === metric)?.tasks?.values;
    expect(
      values?.map((own) => own.length),
      metric,
    ).toEqual([40, 40]);
    expect(values?.[0], metric).toEqual(values?.[1]);
  }
  expect(found.find(({ subject }) => subject.metric === 'pass_at_1')?.tasks?.values[1]).toContain(0);
});
