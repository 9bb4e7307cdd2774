/**
 * Plain pass@k from published samples to the numbers that `query`, `report` and `gate` print: real Temporal server,
 * real sandbox, real Parquet. Results are counted by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { badReplies, benchmarkText, fenced, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

const tasks = tinyTasks(3);
const [sure, torn, base] = tasks as [TinyTask, TinyTask, TinyTask];
const right = (task: TinyTask): string => fenced(rightCode(task));

/** Three samples of each task, in EvalPlus's form: whole programs without a fence. */
const published = [
  ...[0, 1, 2].map(() => ({ task_id: sure.id, solution: rightCode(sure) })),
  { task_id: torn.id, solution: rightCode(torn) },
  { task_id: torn.id, solution: 'I cannot say.' },
  { task_id: torn.id, solution: `def ${torn.entryPoint}(number):\n    return None\n` },
  // Right on suite base alone.
  ...[0, 1, 2].map(() => ({
    task_id: base.id,
    solution: `def ${base.entryPoint}(n):\n    return abs(n) + ${base.addend}\n`,
  })),
];

/** Two repetitions of two samples: `torn` is solved in the first only, and one of its samples cannot be judged. */
const recorded = tasks.flatMap((task) =>
  [0, 1].flatMap((repetition) =>
    [0, 1].map((sample) => {
      const at = { task_id: task.id, step: 'generate', repetition, sample };
      if (task === sure) return { ...at, reply: right(task) };
      if (task === base) return { ...at, reply: badReplies.wrong_on_plus(task) };
      if (repetition === 0) return { ...at, reply: sample === 0 ? right(task) : badReplies.no_code() };
      return { ...at, reply: sample === 0 ? badReplies.wrong_output(task) : badReplies.missing_dependency(task) };
    }),
  ),
);

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const close = (value: number) => expect.closeTo(value, 9);

const specText = (name: string, more: string): string => `
name: ${name}
models: [{ id: a, provider: replay, file: ${name}.jsonl }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: tiny, ${more} }]
`;

describe('plain pass@k over recorded replies', () => {
  let deployment: Deployment;
  const run = async (name: string, more: string): Promise<string> => {
    const end = await deployment.evenkeel('run', deployment.write(`${name}.yaml`, specText(name, more)));
    expect(end.status, end.output).toBe(0);
    return end.output;
  };
  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('tiny.jsonl', benchmarkText(tasks));
    deployment.write('repeated.jsonl', lines(recorded));
    deployment.write('samples.jsonl', lines(published));
    const imported = await deployment.evenkeel(
      'import',
      join(deployment.folder, 'samples.jsonl'),
      ...['--format', 'samples', '--out', join(deployment.folder, 'published.jsonl')],
    );
    expect(imported.status, imported.output).toBe(0);
    expect(imported.output).toContain('wrote 9 samples of 3 tasks (3 of each)');
    await run('published', 'settings: { samples: 3, ks: [1, 2, 3], temperatures: [null] }');
  }, 180_000);
  afterAll(() => deployment?.close());

  test('published samples are judged: 3, 1 and 0 of 3 pass every suite, all of the third base', async () => {
    expect(
      await deployment.rows('published', 'select task_id, n_samples, n_passed from pass_counts order by 1'),
    ).toEqual([
      { task_id: sure.id, n_samples: 3, n_passed: 3 },
      { task_id: torn.id, n_samples: 3, n_passed: 1 },
      { task_id: base.id, n_samples: 3, n_passed: 0 },
    ]);
    const rows = await deployment.rows(
      'published',
      'select suite, k, pass_at_k, pass_hat_k, n, setting from pass_at_k order by suite, k',
    );
    const row = (suite: string, k: number, atK: number, hatK: number) => ({
      ...{ suite, k, pass_at_k: close(atK), pass_hat_k: close(hatK), n: 3, setting: 'default' },
    });
    expect(rows).toEqual([
      row('all suites', 1, (1 + 1 / 3) / 3, (1 + 1 / 3) / 3),
      row('all suites', 2, (1 + 2 / 3) / 3, 1 / 3),
      row('all suites', 3, 2 / 3, 1 / 3),
      row('base', 1, (1 + 1 / 3 + 1) / 3, (1 + 1 / 3 + 1) / 3),
      row('base', 2, (1 + 2 / 3 + 1) / 3, 2 / 3),
      row('base', 3, 1, 2 / 3),
      row('plus', 1, (1 + 1 / 3) / 3, (1 + 1 / 3) / 3),
      row('plus', 2, (1 + 2 / 3) / 3, 1 / 3),
      row('plus', 3, 2 / 3, 1 / 3),
    ]);
  });

  test('repetitions: agreement, kappa and what is flaky, without the sample that evenkeel cannot judge', async () => {
    const output = await run('repeated', 'repetitions: 2, settings: { samples: 2, ks: [1, 2], temperatures: [0.5] }');
    expect(output).toContain('pass@k · study plain · tiny · 2 samples a task, 2 repetitions');
    const [all] = await deployment.rows('repeated', "from pass_repeats where suite = 'all suites'");
    // torn: 1 of 2 passed, then 0 of 1: half of the pairs are equal. Its pass rates are 1/2 and 0.
    const share = (1 + 0.25 + 0) / 3;
    expect(all).toMatchObject({
      ...{ n: 3, n_repetitions: 2, agreement: close(2.5 / 3), flaky: close(1 / 3), flaky_across: close(1 / 3) },
      ...{ kappa: close(1 - 0.5 / 3 / (2 * share * (1 - share))), agreement_within: close(2 / 3), n_within: 3 },
      ...{ setting: 'temperature_0.5', reason: null },
    });
    expect(
      await deployment.rows(
        'repeated',
        `select n_samples, n_passed, n_excluded, counted_by_repetition, passed_by_repetition, flaky, flaky_across
         from pass_tasks where suite = 'all suites' and task_id = '${torn.id}'`,
      ),
    ).toEqual([
      {
        ...{ n_samples: 3, n_passed: 1, n_excluded: 1, flaky: true, flaky_across: true },
        ...{ counted_by_repetition: [2, 1], passed_by_repetition: [1, 0] },
      },
    ]);
    const each = await deployment.rows(
      'repeated',
      `select repetition, n, n_short from pass_at_k where suite = 'all suites' and k = 2
       order by repetition nulls first`,
    );
    expect(each).toEqual([
      { repetition: null, n: 3, n_short: 0 },
      { repetition: 0, n: 3, n_short: 0 },
      { repetition: 1, n: 2, n_short: 1 },
    ]);
  }, 120_000);

  test('the settings, the report, the export and the check of every byte know it', async () => {
    expect(await deployment.rows('repeated', 'select setting, kind, temperature from settings')).toEqual([
      { setting: 'temperature_0.5', kind: 'pass', temperature: 0.5 },
    ]);
    const report = await deployment.evenkeel('report', 'repeated', '--format', 'md');
    expect(report.status, report.output).toBe(0);
    const markdown = readFileSync(join(deployment.runsDir, 'repeated', 'report.md'), 'utf8');
    expect(markdown).toContain('Study plain: pass@k');
    expect(markdown).toContain('Agreement between repetitions');
    expect(markdown).toMatch(
      new RegExp(`\\| a [^|]*\\| 0\\.5 *\\| ${torn.id} *\\| 1/2, 0/1 *\\| 33\\.3 % *\\| 3 *\\|`),
    );
    const page = await deployment.evenkeel('report', 'repeated');
    expect(page.status, page.output).toBe(0);
    const verified = await deployment.evenkeel('verify', 'repeated');
    expect(verified.status, verified.output).toBe(0);
    const out = join(deployment.folder, 'exported.jsonl');
    const exported = await deployment.evenkeel('export', 'repeated', '--format', 'replay', '--out', out);
    expect(exported.status, exported.output).toBe(0);
    // Three tasks, two repetitions, two samples.
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(12);
  }, 120_000);

  test('a gate compares pass@1 task by task', async () => {
    const again = await deployment.evenkeel('run', join(deployment.folder, 'published.yaml'), '--run', 'again');
    expect(again.status, again.output).toBe(0);
    const policy = deployment.write('policy.yaml', 'rules: [{ metric: pass_at_1, suite: base, margin: 100 }]\n');
    const { status, stdout, output } = await deployment.evenkeel(
      'gate',
      'again',
      ...['--against', 'published', '--policy', policy, '--json'],
    );
    // Nothing can lose more than 100 points.
    expect(status, output).toBe(0);
    expect(stdout).toContain('"pass_at_1"');
  }, 120_000);
});
