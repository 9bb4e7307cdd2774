/**
 * RobuNFR from raw replies to the numbers that `query` prints: real Temporal server, real sandbox, real Parquet. The
 * replies are recordings written here; what they must come to is counted by hand.
 */
import { cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import type { RobunfrReport } from '../../../studies/robunfr/report/data.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import {
  badReplies,
  benchmarkText,
  fenced,
  replayText,
  rightCode,
  type TinyTask,
  tinyTasks,
} from '../../support/tiny-tasks.ts';

const tasks = tinyTasks(2);
const [first, second] = tasks as [TinyTask, TinyTask];
/** Right code that says which repetition it is of. */
const marked = (task: TinyTask, repetition: number): string => fenced(`# plain ${repetition}\n${rightCode(task)}`);
const line = (task: TinyTask, more: Readonly<Record<string, string | number>>) => ({ task_id: task.id, ...more });

/** Both models: plain code is right; of the old one, the second task's second repetition is prose. */
const plain = [0, 1].flatMap((repetition) =>
  tasks.map((task) =>
    line(task, { variant: 'original', step: 'generate', repetition, reply: marked(task, repetition) }),
  ),
);
const integrated = (task: TinyTask, variant: string, reply: string) =>
  line(task, { variant, setting: 'nfr-integrated', step: 'generate', reply });
/**
 * NFR-Enhanced asks for the plain code under its own cell: phrasing 1 improves repetition 0, phrasing 2 repetition 1.
 */
const plainOfEnhanced = tasks.flatMap((task) =>
  [0, 1].map((repetition) =>
    line(task, {
      variant: `guard-0${repetition + 1}`,
      setting: 'nfr-enhanced',
      step: 'generate',
      repetition,
      reply: marked(task, repetition),
    }),
  ),
);
const prose = (repetitions: readonly number[], variant: string, setting: string) =>
  repetitions.map((repetition) =>
    line(second, { variant, setting, step: 'generate', repetition, loop: 1, reply: badReplies.no_code() }),
  );
const improved = (task: TinyTask, variant: string, reply: string) =>
  line(task, { variant, step: 'improve', loop: 2, reply });

const oldReplies = replayText([
  ...plain,
  ...prose([1], 'original', 'function-only'),
  integrated(first, 'guard-01', fenced(rightCode(first))),
  integrated(second, 'guard-01', badReplies.wrong_on_plus(second)),
  integrated(first, 'guard-02', fenced(rightCode(first))),
  integrated(second, 'guard-02', fenced(rightCode(second))),
  ...plainOfEnhanced,
  ...prose([1], 'guard-02', 'nfr-enhanced'),
  improved(first, 'guard-01', fenced(rightCode(first))),
  improved(second, 'guard-01', badReplies.wrong_output(second)),
  improved(first, 'guard-02', fenced(rightCode(first))),
]);
const newReplies = replayText([
  ...plain,
  integrated(first, 'guard-01', fenced(rightCode(first))),
  integrated(second, 'guard-01', badReplies.syntax_error(second)),
  integrated(first, 'guard-02', badReplies.exception(first)),
  integrated(second, 'guard-02', fenced(rightCode(second))),
]);

const dimensions = '[{ name: guard, phrasings: [Guard it, Check all] }]';
const spec = `
name: nfr
models:
  - { id: old, provider: replay, file: old.jsonl }
  - { id: new, provider: replay, file: new.jsonl }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: update, kind: robunfr-regression, benchmark: tiny, repetitions: 2,
      settings: { dimensions: ${dimensions}, pairs: [[old, new]] } }
  - { name: ways, kind: robunfr-workflows, benchmark: tiny, models: [old], repetitions: 2,
      settings: { dimensions: ${dimensions} } }
`;

describe('RobuNFR over recorded replies', () => {
  let deployment: Deployment;
  let database: RunDatabase;
  const rows = (sql: string) => records(database, sql);
  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('tiny.jsonl', benchmarkText(tasks));
    deployment.write('old.jsonl', oldReplies);
    deployment.write('new.jsonl', newReplies);
    const end = await deployment.evenkeel('run', deployment.write('nfr.yaml', spec));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
    database = await openRun(join(deployment.runsDir, 'nfr'));
  }, 120_000);
  afterAll(async () => {
    database?.close();
    await deployment?.close();
  });

  const summary = async (
    study: string,
    model: string,
    setting: string,
    suite: string,
  ): Promise<Record<string, unknown> | undefined> => {
    const found = await rows(
      `from nfr_summary where study = '${study}' and model = '${model}' and metric = 'pass_at_1'`,
    );
    return found.find((row) => row['setting'] === setting && row['suite'] === suite);
  };
  const half = Math.sqrt(50 ** 2 / 2);

  test('Function-Only passes 100 and 50 % over its repetitions: AVG 75, STDEV with n - 1', async () => {
    const row = await summary('update', 'old', 'function-only', 'base');
    expect(row).toMatchObject({
      mean: 75,
      n_values: 2,
      delta_percent: 0,
      n: 4,
      n_excluded: 0,
      ceiling: 100,
      dimension: 'function-only',
    });
    expect(row?.['stdev']).toBeCloseTo(half, 9);
  });

  test('one generation, two suites, each against its own Function-Only: base 100, 100 %; plus 50, 100 %', async () => {
    expect(await summary('update', 'old', 'nfr-integrated', 'base')).toMatchObject({
      mean: 100,
      stdev: 0,
      function_only: 75,
    });
    const plus = await summary('update', 'old', 'nfr-integrated', 'plus');
    expect(plus).toMatchObject({ mean: 75, function_only: 75, delta_percent: 0, dimension: 'guard' });
    expect(plus?.['stdev']).toBeCloseTo(half, 9);
    const values = await rows(
      "select phrasing, value from nfr_phrasings where study = 'update' and model = 'old' and suite = 'plus' and " +
        "dimension = 'guard' order by variant",
    );
    expect(values).toEqual([
      { phrasing: 'Guard it', value: 50 },
      { phrasing: 'Check all', value: 100 },
    ]);
  });

  test('NFR-Enhanced improves the code of the same repetition; prose leaves it nothing: 50 % each way', async () => {
    const row = await summary('ways', 'old', 'nfr-enhanced', 'base');
    expect(row).toMatchObject({ mean: 50, stdev: 0, n: 4 });
    expect(row?.['delta_percent']).toBeCloseTo(-100 / 3, 9);
    const failures = await rows(
      "select variant, task_id, failure from nfr_scores where study = 'ways' and setting = 'nfr-enhanced' and not " +
        'passed order by variant',
    );
    expect(failures).toEqual([
      { variant: 'guard-01', task_id: second.id, failure: 'wrong_output' },
      { variant: 'guard-02', task_id: second.id, failure: 'nothing_to_improve' },
    ]);
    const prompts = await rows(
      "select distinct variant, messages from samples join prompts using (prompt_sha256) where step = 'improve' " +
        "and task_id = 'Tiny/1' order by variant",
    );
    expect(prompts.map(({ variant }) => variant)).toEqual(['guard-01', 'guard-02']);
    expect(String(prompts[0]?.['messages'])).toContain('Guard it and improve the following code:\\n# plain 0\\n');
    expect(String(prompts[1]?.['messages'])).toContain('Check all and improve the following code:\\n# plain 1\\n');
    expect(String(prompts[0]?.['messages'])).toContain(
      'Problem:\\ndef add_1(number):\\n    \\"\\"\\"\\n    Write a python function to add 1',
    );
  });

  test('each line answers once, also where two cells ask the same; 3 improvements are asked', async () => {
    const asked = await rows('select model, step, count(*)::int as calls from calls group by all order by all');
    expect(asked).toEqual([
      { model: 'new', step: 'generate', calls: 8 },
      { model: 'old', step: 'generate', calls: 12 },
      { model: 'old', step: 'improve', calls: 3 },
    ]);
  });

  test('regression: 100 to 50 % with the requirement, 75 to 100 % without; two tasks can show nothing', async () => {
    const found = await rows("from regression where metric = 'pass_at_1' and suite = 'base' order by dimension");
    expect(
      found.map((row) => [row['dimension'], row['old_mean'], row['new_mean'], row['difference'], row['verdict']]),
    ).toEqual([
      ['function-only', 75, 100, 25, 'inconclusive'],
      ['guard', 100, 50, -50, 'inconclusive'],
    ]);
    expect(found[1]).toMatchObject({
      delta_percent: -50,
      method: 'sign_flip',
      old_model: 'old',
      model: 'new',
      n: 4,
      simulated: false,
    });
    expect(found[0]?.['delta_percent']).toBeCloseTo(100 / 3, 9);
  });

  test('tables 5 and 6: averages over the models, by workflow', async () => {
    const found = await rows(
      "select setting, mean, n_models from nfr_workflows where study = 'ways' and suite = 'base' order by setting",
    );
    expect(found).toEqual([
      { setting: 'function-only', mean: 75, n_models: 1 },
      { setting: 'nfr-enhanced', mean: 50, n_models: 1 },
      { setting: 'nfr-integrated', mean: 100, n_models: 1 },
    ]);
  });

  test('the report counts failures by kind and shows what broke next to the plain code that passes', async () => {
    const out = `${deployment.folder}/report.json`;
    expect((await deployment.evenkeel('report', 'nfr', '--format', 'json', '--out', out)).status).toBe(0);
    const { robunfr } = JSON.parse(await readFile(out, 'utf8')) as { robunfr: RobunfrReport };
    const enhanced = robunfr.failures.find(({ study, workflow }) => study === 'ways' && workflow === 'nfr-enhanced');
    // The second task's improvement of repetition 0 is wrong where its plain code passed;
    // repetition 1 had no code to begin with.
    expect(enhanced).toMatchObject({
      solutions: 4,
      broken: 1,
      kinds: { wrong_output: 1, nothing_to_improve: 1, raises: 0 },
    });
    const [broken] = robunfr.broken.filter(({ workflow }) => workflow === 'nfr-enhanced');
    expect(broken).toMatchObject({ taskId: second.id, failure: 'wrong_output', phrasing: 'Guard it' });
    expect([broken?.plain, broken?.required]).toEqual([
      expect.stringContaining('number + 2'),
      expect.stringContaining('number - 2'),
    ]);
    expect(robunfr.updates[0]?.ranges.find(({ metric }) => metric === 'pass@1 base')).toMatchObject({
      most: 50,
      dimension: 'guard',
    });
    const page = `${deployment.folder}/report.html`;
    expect((await deployment.evenkeel('report', 'nfr', '--out', page)).status).toBe(0);
    const text = await readFile(page, 'utf8');
    for (const part of [
      'Range of values over the phrasings',
      'old to new',
      'Failures with a requirement',
      'two different models',
    ])
      expect(text).toContain(part);
  }, 30_000);

  test('the gate: two tasks are inconclusive (5); extremes pass (0) and fail (4); bad input is 2', async () => {
    const gate = (policy: string, ...more: readonly string[]) =>
      deployment.evenkeel('gate', 'nfr', '--policy', deployment.write('policy.yaml', policy), ...more);
    const junit = `${deployment.folder}/gate.xml`;
    const open = await gate('rules: [{ metric: pass_at_1, margin: 5, dimension: guard }]');
    expect([open.status, open.stdout]).toEqual([5, expect.stringContaining('tasks would decide it')]);
    // Each task loses one of its two phrasings on base: at a confidence of 0.51 the change is at most -50 + 150 (1 -
    // 0.49^0.5) = -5 points.
    const failed = await gate(
      'confidence: 0.51\nrules: [{ metric: pass_at_1, suite: base, dimension: guard }]',
      '--junit',
      junit,
      '--json',
    );
    expect([failed.status, JSON.parse(failed.stdout)]).toMatchObject([
      4,
      { outcome: 'failed', comparisons: [{ title: 'update: old to new' }] },
    ]);
    expect(await readFile(junit, 'utf8')).toContain(
      'name="tiny / base / guard, nfr-integrated"><failure message="failed: from 100.00 to 50.00',
    );
    // Nothing can lose more than everything.
    const passed = await gate('rules: [{ metric: pass_at_1, margin: 100, dimension: function-only }]');
    expect([passed.status, passed.stdout]).toEqual([0, expect.stringContaining('# Gate: passed')]);
    expect((await gate('rules: [{ metric: cpu_ms }]')).status).toBe(5);
    const bad = await gate('rules: [{ metric: pass }]');
    expect([bad.status, bad.output]).toEqual([2, expect.stringContaining('policy.yaml:1:')]);
  }, 30_000);

  // Red where the two sides are looked up by the name that was given:
  // a run's rows have the name that it was made under.
  test('the gate says the same of a renamed or moved copy, and refuses a copy against its original', async () => {
    const policy = deployment.write(
      'policy.yaml',
      'rules: [{ metric: pass_at_1, margin: 100, dimension: function-only }]',
    );
    const elsewhere = join(deployment.folder, 'elsewhere');
    cpSync(join(deployment.runsDir, 'nfr'), join(deployment.runsDir, 'renamed'), { recursive: true });
    cpSync(join(deployment.runsDir, 'nfr'), join(elsewhere, 'nfr'), { recursive: true });
    const gate = (...args: readonly string[]) => deployment.evenkeel('gate', ...args, '--policy', policy);
    const original = await gate('nfr', '--json');
    expect([original.status, JSON.parse(original.stdout)]).toMatchObject([0, { outcome: 'passed', comparisons: [{}] }]);
    const renamed = await gate('renamed', '--json');
    const moved = await gate('nfr', '--runs-dir', elsewhere, '--json');
    for (const { status, stdout } of [renamed, moved]) expect([status, stdout]).toEqual([0, original.stdout]);
    const beside = await gate('renamed', '--against', 'nfr');
    expect([beside.status, beside.stderr]).toEqual([2, expect.stringContaining('their rows cannot be told apart')]);
    rmSync(join(deployment.runsDir, 'renamed'), { recursive: true });
  }, 60_000);

  test('the run is complete, and the same spec asks nothing again', async () => {
    expect((await deployment.evenkeel('verify', 'nfr')).status).toBe(0);
    expect((await deployment.evenkeel('run', `${deployment.folder}/nfr.yaml`)).status).toBe(0);
    // A call for each line that answers: 4 plain, 4 integrated, 4 plain of NFR-Enhanced and 3 improved of the old
    // model, 4 plain and 4 integrated of the new one. A line of prose takes the place of a plain one.
    expect(await deployment.rows('nfr', 'select count(*)::int as calls from calls')).toEqual([{ calls: 23 }]);
  });
});
