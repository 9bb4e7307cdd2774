/** Runs that asked for other numbers of answers: metrics that depend on these are left out by name. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Row } from '../../schemas/tables.ts';
import { acrossRuns } from '../../studies/across/across-runs.ts';
import { cardTables } from '../../studies/cards.ts';
import { compareOver, type CompareRequest } from '../../studies/compare.ts';
import { gateOver } from '../../studies/gate.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const tasks = Array.from({ length: 10 }, (_, index) => `MBPP/${index}`);

interface Numbers {
  readonly samples: number;
  readonly draws: number;
  readonly repetitions: number;
}
const runs: Readonly<Record<string, Numbers>> = {
  few: { samples: 2, draws: 2, repetitions: 2 },
  many: { samples: 8, draws: 3, repetitions: 2 },
  again: { samples: 2, draws: 2, repetitions: 2 },
  redrawn: { samples: 2, draws: 2, repetitions: 4 },
};

const specOf = ({ samples, draws, repetitions }: Numbers) =>
  parseSpec(
    `
name: numbers
models: [{ id: m, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: words
    kind: promptse
    benchmark: mbpp
    repetitions: ${repetitions}
    settings: { samples: ${samples}, variants: 1, logprobs: false }
  - { name: detail, kind: specificity, benchmark: mbpp, settings: { draws: ${draws}, wordLimits: [25] } }
`,
    'numbers.yaml',
  );

let folder = '';
const databases: RunDatabase[] = [];

async function opened(...names: readonly string[]): Promise<RunDatabase> {
  const database = await openRun(names.map((name) => join(folder, name)));
  databases.push(database);
  return database;
}

const cell = (run: string, study: string, task: string, variant: string): Row => ({
  ...{ run, study, model: 'm', benchmark: 'mbpp', task_id: task, language: 'python', variant, setting: 'default' },
  ...{ repetition: 0, simulated: false },
});

const prompts = (run: string, { samples, repetitions }: Numbers): Row[] =>
  tasks.flatMap((task) => {
    const scored = (variant: string, repetition: number, distance: number | null): Row => ({
      ...cell(run, 'words', task, variant),
      ...{ repetition, distance, n_samples: samples, n_passed: samples / 2, n_without_logprobs: samples },
      ...{ light_samples: samples, light_passed: samples / 2, pass_rate: 0.5, soft_exec: null },
    });
    const originals = Array.from({ length: repetitions }, (_, repetition) => scored('original', repetition, null));
    return [...originals, ...[0.1, 0.2, 0.3].map((distance) => scored(`v-${distance}`, 0, distance))];
  });

const details = (run: string, { draws }: Numbers): Row[] =>
  tasks.flatMap((task) => {
    const asked = (augmentation: string, level: number | null, draw: number | null): Row => ({
      ...cell(run, 'detail', task, `${augmentation}-${level}-${draw}`),
      ...{ augmentation, level, draw, words: 10, passed: true },
    });
    const drawn = Array.from({ length: draws }, (_, draw) => asked('mask', 0.4, draw + 1));
    return [asked('minimal', null, null), asked('summary', 25, null), ...drawn, asked('maximal', null, null)];
  });

const verdicts = (run: string, study: string): Row[] =>
  tasks.map((task) => ({
    ...cell(run, study, task, study === 'words' ? 'original' : 'maximal'),
    ...{ loop: 0, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
  }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-numbers-'));
  for (const [run, numbers] of Object.entries(runs))
    await writeRun(
      join(folder, run),
      [
        { table: 'prompt_scores', page: 'words/m/r1p0000', rows: prompts(run, numbers) },
        { table: 'verdicts', page: 'words/m/r1p0000', rows: verdicts(run, 'words') },
        { table: 'prompt_passes', page: 'detail/m/r1p0001', rows: details(run, numbers) },
        { table: 'verdicts', page: 'detail/m/r1p0001', rows: verdicts(run, 'detail') },
        { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
        {
          table: 'tasks',
          page: 'run',
          rows: tasks.map((task_id) => ({ run, benchmark: 'mbpp', task_id, record_sha256: 'a' })),
        },
      ],
      { runId: run, spec: specOf(numbers) },
    );
});
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});

const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05 };
const isLeftOut = (text: string): boolean => text.includes('left out');

const words =
  'study words: auc_e_normalized (light), auc_e_excess (light) left out, because the value depends on the number of ' +
  'answers (samples 2 in run few; samples 8 in run many); to compare it, run both with the same samples; pass_at_1 ' +
  'does not depend on it';
const detail =
  'study detail: pass_at_detail (paragraphs; mask), sufficient_detail (paragraphs; mask) left out, because the value ' +
  'depends on the number of answers (draws 2 in run few; draws 3 in run many); to compare it, run both with the same ' +
  'draws; pass_at_1 does not depend on it';

test('compare leaves them out by name; levels of one prompt stay', async () => {
  const { comparisons, notes } = await compareOver(await opened('few', 'many'), request);
  const found = comparisons.map(({ subject: { metric, dimension } }) => `${metric} ${dimension}`);
  expect(found.filter((name) => name.startsWith('auc_e'))).toEqual([]);
  expect(found.filter((name) => /detail/.test(name)).toSorted()).toEqual([
    ...['pass_at_detail maximal', 'pass_at_detail minimal', 'pass_at_detail summary 25', 'sufficient_detail summary'],
  ]);
  expect(notes.filter(isLeftOut)).toEqual([words, detail]);
});

test('asked for one of them alone, compare refuses it and says why', async () => {
  const asked = compareOver(await opened('few', 'many'), { ...request, metric: 'auc_e_normalized' });
  await expect(asked).rejects.toThrow(
    /no study has two models that share a task with auc_e_normalized.*study words: auc_e_normalized \(light\) left out/,
  );
});

test('a gate on one of them applies to nothing and does not pass, and a note says why', async () => {
  const rules = [{ metric: 'auc_e_normalized', dimension: 'light', margin: 1 }];
  const policy = gatePolicySchema.parse({ rules });
  const { outcome, notes } = await gateOver(
    await opened('few', 'many'),
    { run: 'many', against: 'few', study: 'words' },
    policy,
  );
  expect(outcome).toBe('inconclusive');
  expect(notes).toContain(words);
});

test('a report over the runs says what it does not compare', async () => {
  const across = await acrossRuns(await opened('few', 'many'), []);
  expect(across?.leftOut).toEqual([words, detail]);
  expect(across?.models.filter(({ comparison }) => comparison.subject.metric.startsWith('auc_e'))).toEqual([]);
});

test('cards over the runs have no light excess to rank', async () => {
  const { cards } = await cardTables(await opened('few', 'many'));
  expect(cards.filter(({ metric, condition }) => metric === 'auc_e_excess' && condition === 'light')).toEqual([]);
});

test('with the same numbers all are compared; another number of redraws only concerns the light excess', async () => {
  const same = await compareOver(await opened('few', 'again'), request);
  const metrics = new Set(same.comparisons.map(({ subject }) => subject.metric));
  expect(metrics).toEqual(metrics.union(new Set(['auc_e_normalized', 'auc_e_excess', 'pass_at_detail'])));
  expect(same.comparisons.map(({ subject }) => subject.dimension)).toContain('mask 0.4');
  expect(same.notes.filter(isLeftOut)).toEqual([]);
  const redrawn = await compareOver(await opened('few', 'redrawn'), request);
  expect(redrawn.comparisons.map(({ subject }) => subject.metric)).toContain('auc_e_normalized');
  expect(redrawn.notes.filter(isLeftOut)).toEqual([
    expect.stringContaining(
      'auc_e_excess (light) left out, because the value depends on the number of answers (repeti',
    ),
  ]);
});
