/**
 * Each framework's own numbers in a gate, from a run's tables: ASL, a chain's score,
 * AUC-E and its excess, levels of detail.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gateOver, type GateRequest } from '../../studies/gate.ts';
import type { GateCheck } from '../../domain/gate/evaluate.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Row } from '../../schemas/tables.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const spec = parseSpec(
  `
name: all
seed: 7
models: [{ id: m, provider: simulated }, { id: judge, provider: simulated, study: false }]
benchmarks:
  mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz }
  php: { format: mxeval, path: mbphp.jsonl }
studies:
  - { name: loops, kind: evaloop, benchmark: mbpp, settings: { maxLoops: 2, judge: judge } }
  - { name: chain, kind: evaloop-translation, benchmark: mbpp, settings: { through: [php] } }
  - { name: words, kind: promptse, benchmark: mbpp }
  - { name: detail, kind: specificity, benchmark: mbpp }
`,
  'all.yaml',
);

const versions = { prompts: { evaloop: 'evaloop-1' }, extractor: '1', scorer: '1', prices: '2026-11-01' };
const tasks = Array.from({ length: 40 }, (_, index) => `MBPP/${index}`);
const cell = (run: string, study: string, task: string, variant = 'original'): Row => ({
  ...{
    run,
    study,
    model: 'm',
    benchmark: 'mbpp',
    task_id: task,
    language: 'python',
    variant,
    setting: 'default',
    repetition: 0,
  },
  simulated: false,
});
/** Tasks from `from` on sustain both loops, the others one, with a similarity of a half. */
const loops = (run: string, from: number): Row[] =>
  tasks.map((task, index) => {
    const [sustained_loops, similarity] = index >= from ? [2, null] : [1, 0.5];
    return {
      ...cell(run, 'loops', task),
      sustained_loops,
      similarity,
      ended_by: index >= from ? 'survived' : 'code_failed',
    };
  });
const chains = (run: string, from: number): Row[] =>
  tasks.map((task, index) => ({
    ...cell(run, 'chain', task),
    ...{
      steps: 2,
      sustained_steps: index >= from ? 2 : 0,
      passed_steps: 2,
      ended_by: index >= from ? 'survived' : 'code_failed',
    },
  }));
/**
 * The original passes always, and so do the variants of tasks from `from` on; the others' never. Two draws of the
 * original, both passed.
 */
const prompts = (run: string, from: number): Row[] =>
  tasks.flatMap((task, index) => {
    const scored = (variant: string, repetition: number, distance: number | null, passed: number): Row => ({
      ...cell(run, 'words', task, variant),
      ...{ repetition, distance, n_samples: 10, n_passed: passed, n_excluded: 0, n_without_logprobs: 0 },
      ...{ light_samples: 10, light_passed: passed, pass_rate: passed / 10, soft_exec: passed / 10 },
    });
    const variants = [0.1, 0.2, 0.3].map((distance) => scored(`v-${distance}`, 0, distance, index >= from ? 10 : 0));
    return [scored('original', 0, null, 10), scored('original', 1, null, 10), ...variants];
  });
/**
 * Levels of a summary: 25 words suffice for tasks from `at25` on, 50 words for those from `at50`
 * on, the whole text for all.
 */
const details = (run: string, at25: number, at50: number): Row[] =>
  tasks.flatMap((task, index) =>
    (
      [
        ['minimal', null, false],
        ['summary', 25, index >= at25],
        ['summary', 50, index >= at50],
        ['maximal', null, true],
      ] as const
    ).map(([augmentation, level, passed]) => ({
      ...cell(run, 'detail', task, `${augmentation}-${level}`),
      ...{ augmentation, level, draw: null, words: 10, passed },
    })),
  );

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-gate-'));
  const write = (run: string, worse: number, at50: number) =>
    writeRun(
      join(folder, run),
      [
        { table: 'loops', page: 'loops/m/r1p0000', rows: loops(run, worse) },
        { table: 'chains', page: 'chain/m/r1p0001', rows: chains(run, worse) },
        { table: 'prompt_scores', page: 'words/m/r1p0002', rows: prompts(run, worse) },
        { table: 'prompt_passes', page: 'detail/m/r1p0003', rows: details(run, 40, at50) },
        { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
        {
          table: 'tasks',
          page: 'run',
          rows: tasks.map((task_id) => ({ run, benchmark: 'mbpp', task_id, record_sha256: 'a' })),
        },
      ],
      {
        runId: run,
        spec,
        versions: { ...versions, extraction: { loops: run === 'after' ? 'paper' : 'last-defining' } },
      },
    );
  await write('before', 10, 0);
  await write('twin', 10, 0);
  await write('after', 20, 40);
  database = await openRun(['before', 'twin', 'after'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

async function checks(rule: object, sides: Partial<GateRequest> = { against: 'before' }): Promise<GateCheck[]> {
  const policy = gatePolicySchema.parse({ rules: [rule] });
  const { comparisons } = await gateOver(database, { run: 'after', ...sides }, policy);
  return comparisons.flatMap(({ result }) => result.rules.flatMap((found) => found.checks));
}

test('ASL, by what each task adds: 10 tasks sustain one loop of two and 30 both, then 20 and 20', async () => {
  const [weighted] = await checks({ metric: 'asl', margin: 0.1 });
  // A cell that sustained 1 of 2 with Sim 0.5 has s = (0 + 0.5) / 1.
  expect(weighted?.old).toBeCloseTo((10 * 0.5 + 30 * 4) / 80, 9);
  expect(weighted?.now).toBeCloseTo((20 * 0.5 + 20 * 4) / 80, 9);
  expect(weighted).toMatchObject({ outcome: 'failed', tasks: { n: 40, lost: 10, gained: 0 } });
  const [plain] = await checks({ metric: 'asl_unweighted', margin: 0.5 });
  expect(plain?.old).toBeCloseTo((10 + 30 * 4) / 80, 9);
  expect(plain?.now).toBeCloseTo((20 + 20 * 4) / 80, 9);
  expect(plain?.tasks?.lostIds).toEqual(tasks.slice(10, 20));
  expect(plain?.outcome).toBe('inconclusive');
});

test('ASL is compared only between the same judges, however often they are asked', async () => {
  const judgedBy = async (run: string, judge: unknown, asked: object = {}): Promise<string> => {
    const studies = spec.studies.map((study) =>
      study.kind === 'evaloop' ? { ...study, settings: { ...study.settings, judge } } : study,
    ) as typeof spec.studies;
    const models = spec.models.map((one) => (one.id === 'judge' ? { ...one, ...asked } : one));
    const manifest = { runId: run, spec: { ...spec, models, studies }, versions };
    await writeRun(
      join(folder, run),
      [
        { table: 'loops', page: 'loops/m/r1p0000', rows: loops(run, 20) },
        { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
      ],
      manifest,
    );
    return join(folder, run);
  };
  const panel = { models: ['judge'], repeats: 3, temperature: 0 };
  const others = [
    await judgedBy('repeated', panel),
    await judgedBy('two', { ...panel, models: ['judge', 'm'] }),
    await judgedBy('warm', { ...panel, temperature: 1 }),
    // Red before: the id is the same.
    await judgedBy('tiny', panel, { model: 'tiny-judge-1b' }),
    // Red before: the model's name is the same.
    await judgedBy('strict', panel, { parameters: { extraBody: { rubric: 'strict' } } }),
    // As in a rescored run, whose judges are recordings.
    await judgedBy('recorded', panel, { provider: 'replay', file: 'r.jsonl' }),
  ];
  const several = await openRun([join(folder, 'before'), ...others]);
  const compared = async (run: string): Promise<boolean> => {
    const policy = gatePolicySchema.parse({ rules: [{ metric: 'asl', margin: 1 }] });
    const { comparisons } = await gateOver(several, { run, against: 'before' }, policy);
    return comparisons.some(({ result }) => result.rules.some(({ checks: found }) => found.length > 0));
  };
  const found = [];
  for (const run of ['repeated', 'two', 'warm', 'tiny', 'strict', 'recorded']) found.push(await compared(run));
  expect(found).toEqual([true, false, false, false, false, true]);
  several.close();
});

test('a note says if runs extract code by different rules: verdicts may differ for that alone', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'asl', margin: 1 }] });
  const { notes } = await gateOver(database, { run: 'after', against: 'before' }, policy);
  expect(notes.filter((note) => note.includes('different rules'))).toEqual([
    'study loops extracts code with different rules in runs before (last-defining) and after (paper); ' +
      'use `rescore` to judge the old replies with the new rule',
  ]);
});

test('a chain’s score, from its squares', async () => {
  const [found] = await checks({ metric: 'chain_score', margin: 2 });
  expect(found).toMatchObject({ old: (30 * 4) / 80, now: (20 * 4) / 80, outcome: 'passed' });
});

test('AUC-E by both methods: tasks without any variant that passes have an elasticity of 0', async () => {
  for (const dimension of ['full', 'light']) {
    const [found] = await checks({ metric: 'auc_e_normalized', dimension, margin: 0.1 });
    expect(found).toMatchObject({ old: 0.75, now: 0.5, outcome: 'failed', tasks: { n: 40, lost: 10, gained: 0 } });
    // The floor of a model that always passes is 1, and the published area 2/3 of that.
    const [excess] = await checks({ metric: 'auc_e_excess', dimension, margin: 0.5 });
    expect(excess?.old).toBeCloseTo((-2 / 3) * 0.25, 9);
    expect(excess?.now).toBeCloseTo((-2 / 3) * 0.5, 9);
    expect(excess?.outcome).toBe('passed');
  }
});

test('pass level by level; the least sufficient one goes from 50 words (place 2) to the whole text (3)', async () => {
  const [at50] = await checks({ metric: 'pass_at_detail', dimension: 'summary 50', margin: 10 });
  expect(at50).toMatchObject({ old: 100, now: 0, outcome: 'failed', tasks: { lost: 40 } });
  expect(await checks({ metric: 'pass_at_detail', margin: 10 })).toHaveLength(4);
  const [level] = await checks({ metric: 'sufficient_detail', dimension: 'summary' });
  // No task passes with 50 words any more, and 40 say so; that 50 words did within 2 points 40 tasks
  // that all pass cannot say.
  expect(level).toMatchObject({
    old: 2,
    now: 3,
    interval: { lo: 0, hi: 1 },
    outcome: 'inconclusive',
    tasks: { n: 40, lost: null },
  });
});

// Red before: the rule on times had a row "nothing to compare" under the loops and under the chains, which were
// inconclusive by it.
test('a rule that fits no study is by itself, and makes no study inconclusive', async () => {
  const [loop, chain, time] = ['asl_unweighted', 'chain_score', 'cpu_ratio'].map((metric) => ({ metric, margin: 100 }));
  const policy = gatePolicySchema.parse({ rules: [loop, chain, time] });
  const found = await gateOver(database, { run: 'after', against: 'before' }, policy);
  expect(found.outcome).toBe('inconclusive');
  expect(
    found.comparisons.map(({ title, result: { outcome, rules } }) => [
      ...[title, outcome],
      rules.map(({ rule, checks: own }) => `${rule.metric} ${own.length}`),
    ]),
  ).toEqual([
    ['loops: m (before) to m (after)', 'passed', ['asl_unweighted 1']],
    ['chain: m (before) to m (after)', 'passed', ['chain_score 1']],
    ['rules that apply to nothing', 'inconclusive', ['cpu_ratio 0']],
  ]);
  expect(found.notes).toContain('words: m (before) to m (after): no rule applies');
  const fitting = gatePolicySchema.parse({ rules: [loop, chain] });
  expect((await gateOver(database, { run: 'after', against: 'before' }, fitting)).outcome).toBe('passed');
});

test('a run against its twin never passes a margin of 0, and always passes the largest margin', async () => {
  const same = { run: 'twin', against: 'before' };
  const none = [
    'asl',
    'asl_unweighted',
    'chain_score',
    'auc_e_normalized',
    'auc_e_excess',
    'pass_at_detail',
    'sufficient_detail',
  ];
  for (const metric of none)
    for (const check of await checks({ metric }, same))
      expect([metric, check.outcome]).toEqual([metric, 'inconclusive']);
  for (const metric of none)
    for (const check of await checks({ metric, margin: 100 }, same))
      expect([metric, check.outcome]).toEqual([metric, 'passed']);
});
