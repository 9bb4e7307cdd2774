/**
 * PromptSE from raw replies to the numbers that `query` prints: real Temporal server, real sandbox, real Parquet. The
 * replies are recordings written here; what they must come to is counted by hand.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PromptseReport } from '../../../studies/promptse/report/data.ts';
import type { Trajectory } from '../../../studies/promptse/results/affect/trajectory.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { inFull, long } from '../../support/forms/long.ts';
import { badReplies, benchmarkText, fenced, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

const tasks = tinyTasks(2);
const [steady, moved] = tasks as [TinyTask, TinyTask];
const right = (task: TinyTask): string => fenced(rightCode(task));
const wrong = (task: TinyTask): string => badReplies.wrong_output(task);

/** Weights 3/4 and 1/4: sums of log-probabilities that differ by ln 3. */
const logprobs = [
  [-1, -1],
  [-1, -1 - Math.log(3)],
] as const;

type Line = Readonly<Record<string, unknown>>;

/** Both samples of one prompt; `passes` says which are right. */
const answers = (
  task: TinyTask,
  variant: string,
  passes: readonly boolean[],
  repetition = 0,
  given: readonly number[] = [0, 1],
): Line[] =>
  passes.map((passed, sample) => ({
    ...{ task_id: task.id, variant, repetition, sample, reply: passed ? right(task) : wrong(task) },
    ...(given.includes(sample) && { logprobs: logprobs[sample] }),
  }));

const variants = ['d0.1-01', 'd0.2-01', 'd0.3-01'] as const;
const steadyLines = (given: readonly number[]): Line[] => [
  ...answers(steady, 'original', [true, true], 0, given),
  ...answers(steady, 'original', [true, true], 1, given),
  ...variants.flatMap((variant) => answers(steady, variant, [true, true], 0, given)),
];
/** The original passes with its likelier sample; the variants with both, with none, with the other one. */
const movedLines = (given: readonly number[]): Line[] => [
  ...answers(moved, 'original', [true, false], 0, given),
  ...answers(moved, 'original', [false, true], 1, given),
  ...answers(moved, 'd0.1-01', [true, true], 0, given),
  ...answers(moved, 'd0.2-01', [false, false], 0, given),
  ...answers(moved, 'd0.3-01', [false, true], 0, given),
];
const text = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify({ step: 'generate', ...line })}\n`).join('');

const spec = `
name: moods
models:
  - { id: full, provider: replay, file: full.jsonl, family: A, sizeB: 7 }
  - { id: mute, provider: replay, file: mute.jsonl }
  - { id: half, provider: replay, file: half.jsonl }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: moods, kind: promptse, benchmark: tiny, repetitions: 2, settings: { variants: 1, samples: 2 } }]
`;

describe('PromptSE over recorded replies', () => {
  let deployment: Deployment;
  let output = '';
  let summary: Record<string, unknown>[] = [];
  beforeAll(async () => {
    deployment = await openDeployment();
    deployment.write('tiny.jsonl', benchmarkText(tasks));
    deployment.write('full.jsonl', text([...steadyLines([0, 1]), ...movedLines([0, 1])]));
    deployment.write('mute.jsonl', text([...steadyLines([]), ...movedLines([])]));
    deployment.write('half.jsonl', text([...steadyLines([0, 1]), ...movedLines([0])]));
    const end = await deployment.evenkeel('run', deployment.write('moods.yaml', spec));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
    output = end.output;
    summary = await deployment.rows('moods', 'from auc_e order by model, method');
  }, 120_000);
  afterAll(() => deployment?.close());

  const row = (model: string, method: string): Record<string, unknown> | undefined =>
    summary.find((one) => one['model'] === model && one['method'] === method);

  test('SoftExec goes from 3/4 to 1, 0 and 1/4: elasticities 3/4, 1/4, 1/2, halved by the steady task', () => {
    const full = row('full', 'full');
    expect(full).toMatchObject({ n: 2, n_excluded: 0, family: 'A', size_b: 7, pass_at_1: 0.75, reason: null });
    expect([full?.['e_d01'], full?.['e_d02'], full?.['e_d03']]).toEqual(
      [0.875, 0.625, 0.75].map((value) => expect.closeTo(value, 9)),
    );
    expect(full?.['auc_e']).toBeCloseTo((0.875 + 4 * 0.625 + 0.75) / 9, 9);
    expect(full?.['auc_e_normalized']).toBeCloseTo((0.875 + 4 * 0.625 + 0.75) / 6, 9);
    expect(full?.['score_original']).toBeCloseTo((1 + 0.75) / 2, 9);
  });

  test('the floor is that of the two draws of the original, 3/4 and 1/4: mean of 1 and 1/2', () => {
    expect(row('full', 'full')?.['floor_d02']).toBeCloseTo(0.75, 9);
    expect(row('full', 'full')?.['excess_d02']).toBeCloseTo(0.625 - 0.75, 9);
  });

  test('PromptSELight needs no log-probabilities: 1/2, 1/2 and 1 for the task that moves', () => {
    for (const model of ['full', 'mute', 'half']) {
      const light = row(model, 'light');
      expect([light?.['e_d01'], light?.['e_d02'], light?.['e_d03']]).toEqual(
        [0.75, 0.75, 1].map((value) => expect.closeTo(value, 9)),
      );
    }
  });

  test('without log-probabilities there is no PromptSE; with some there is where none is missing', () => {
    expect(row('mute', 'full')).toMatchObject({
      n: 0,
      auc_e: null,
      reason: expect.stringContaining('without log-probabilities'),
    });
    expect(row('half', 'full')).toMatchObject({ n: 1, n_excluded: 1, e_d02: 1 });
    expect(output).toContain('No AUC-E for mute');
  });

  test('three models share one set of variants, each with its style, measured distance and whole prompt', async () => {
    const rows = await deployment.rows('moods', 'from variants order by task_id, variant');
    expect(rows.map(({ variant }) => variant)).toEqual([...variants, ...variants]);
    for (const variant of rows) {
      expect(variant).toMatchObject({
        status: 'accepted',
        rewriter: 'rules',
        kind: 'style',
        parent_variant: 'original',
      });
      expect(variant['prompt']).toContain('assert add_');
    }
    const asked = await deployment.rows(
      'moods',
      "select count(distinct prompt_sha256)::int as prompts from samples where model = 'full'",
    );
    expect(asked).toEqual([{ prompts: 8 }]);
  });

  test('equal programs of a task are run once per suite, whichever model wrote them', async () => {
    expect(await deployment.rows('moods', 'select count(*)::int as programs from executions')).toEqual([
      { programs: 2 * 2 + 2 },
    ]);
  });

  test('the report answers the four questions: calibration by hand, Light against full, the floor', async () => {
    const out = `${deployment.folder}/report.json`;
    expect((await deployment.evenkeel('report', 'moods', '--format', 'json', '--out', out)).status).toBe(0);
    const { promptse } = JSON.parse(await readFile(out, 'utf8')) as { promptse: PromptseReport };
    const [questions] = promptse.questions;
    const affect = questions?.affect.find(({ model }) => model === 'full');
    const original = affect?.groups.find(({ by }) => by === 'original');
    // Four samples at confidence exp(-1) and four at exp(-1 - ln 3 / 2), three of each right,
    // over both draws of both originals.
    const [sure, unsure] = [Math.exp(-1), Math.exp(-1) / Math.sqrt(3)];
    expect(original?.calibration?.value).toBeCloseTo((3 - 4 * sure + 3 - 4 * unsure) / 8, 9);
    expect(original).toMatchObject({
      n: 2,
      passRate: { value: 0.75 },
      meanAbsoluteDelta: null,
      sureFailures: { value: 0 },
    });
    expect(original?.unsureSuccesses?.value).toBe(0.75);
    // Over its three variants each a third: |1 - 3/4|, |0 - 3/4| and |1/4 - 3/4| from the original of the task that
    // moves, 0 for the other.
    const variantsOfFull = affect?.groups.find(({ by }) => by === 'variants');
    expect(variantsOfFull).toMatchObject({
      n: 6,
      elasticity: { value: expect.closeTo(1 - (1 / 4 + 3 / 4 + 1 / 2) / 6, 9) },
    });
    // Pass rates 1/2 against 1, 0 and 1/2.
    expect(variantsOfFull?.meanAbsoluteDelta?.value).toBeCloseTo((1 / 2 + 1 / 2 + 0) / 6, 9);
    // Stored in single precision. Both tokens of the first sample have -1; the second one's second token has ln 3 less.
    // In the JSON form each model has its own.
    const { passing } = affect as unknown as Trajectory;
    const second = (points = passing) => points.find(({ position }) => position === 2);
    const [likely, unlikely] = [-1, -1 - Math.log(3)];
    // Right: of the steady task 5 of each kind; of the other 1 + 1 of the likely and 1 + 1 + 1 of the unlikely ones (in
    // the order above).
    expect(second()).toMatchObject({ n: 15, mean: expect.closeTo((7 * likely + 8 * unlikely) / 15, 6) });
    const tasksOfFull = questions?.light.strata.find(({ by, name }) => by === 'model' && name === 'full')?.overTasks;
    // Light 1/2, 1/2, 1 where full is 3/4, 1/4, 1/2; three times 1 for the steady task.
    expect(tasksOfFull?.errors).toMatchObject({
      n: 6,
      mae: expect.closeTo(1 / 6, 9),
      rmse: expect.closeTo(Math.sqrt(0.375 / 6), 9),
    });
    const page = `${deployment.folder}/report.html`;
    expect((await deployment.evenkeel('report', 'moods', '--out', page)).status).toBe(0);
    const text = await readFile(page, 'utf8');
    const parts = [
      'PromptSELight',
      'The floor is the elasticity that chance alone gives',
      'Variants to review',
      'Qwen-1.5B',
      'compared with the paper',
    ];
    const figures = [
      'Performance and stability',
      'Elasticity by distance',
      '|Δ pass| by size',
      'Calibration over distance',
      'dashed: failing',
    ];
    for (const part of [...parts, ...figures]) expect(text).toContain(part);
    const plain = await deployment.evenkeel(
      'report',
      'moods',
      '--format',
      'md',
      '--out',
      `${deployment.folder}/report.md`,
    );
    expect(plain.status).toBe(0);
    const words = await readFile(`${deployment.folder}/report.md`, 'utf8');
    for (const part of [
      'RQ1',
      'RQ2',
      'RQ3',
      'RQ4',
      '(1 − ECE) by model and emotion',
      'Study moods compared with the paper',
    ])
      expect(words).toContain(part);
  });

  long(`another run asks an exported variant set, one line damaged and one missing${inFull}`, async () => {
    const file = `${deployment.folder}/set.jsonl`;
    expect((await deployment.evenkeel('export', 'moods', '--format', 'variants', '--out', file)).status).toBe(0);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(6);
    const spoiled = (lines[0] ?? '').replace('assert add_1(1) == 2', 'assert add_1(1) == 3');
    deployment.write('set.jsonl', [spoiled, ...lines.slice(2)].join('\n'));
    const imported = spec
      .replace('name: moods', 'name: imported')
      .replace('settings: {', 'settings: { variantSet: set.jsonl,');
    const end = await deployment.evenkeel('run', deployment.write('imported.yaml', imported));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
    const texts = 'select task_id, variant, prompt from variants';
    const all = await deployment.rows('moods', `${texts} order by all`);
    expect(await deployment.rows('imported', `${texts} where prompt is not null order by all`)).toEqual(all.slice(2));
    expect(
      await deployment.rows(
        'imported',
        "select variant, reason from variants where status = 'missing' order by variant",
      ),
    ).toEqual([
      { variant: 'd0.1-01', reason: expect.stringMatching(/^changed or lost outside the description/) },
      { variant: 'd0.2-01', reason: 'not in the set' },
    ]);
  });

  test('a variant set with an invalid line is refused, naming the line', async () => {
    deployment.write('bad.jsonl', '{"task_id":"Tiny/1","distance":0.1,"prompt":"x"}\n{"task_id":"Tiny/1"}\n');
    const bad = spec.replace('name: moods', 'name: bad').replace('settings: {', 'settings: { variantSet: bad.jsonl,');
    const end = await deployment.evenkeel('run', deployment.write('bad.yaml', bad));
    expect(end.status).toBe(2);
    expect(end.output).toContain('bad.jsonl:2');
    expect(existsSync(`${deployment.runsDir}/bad`)).toBe(false);
  });

  test('the run is complete, and the same spec asks nothing again', async () => {
    expect((await deployment.evenkeel('verify', 'moods')).status).toBe(0);
    const before = await deployment.rows('moods', 'select count(*)::int as calls from calls');
    expect((await deployment.evenkeel('run', `${deployment.folder}/moods.yaml`)).status).toBe(0);
    expect(await deployment.rows('moods', 'select count(*)::int as calls from calls')).toEqual(before);
  });
});
