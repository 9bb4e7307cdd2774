/** PromptSE's own choices on hand-made tables; expected values by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import type { Side } from '../../../analysis/gate/compared.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { promptseStudy } from '../../../schemas/spec/promptse.ts';
import type { Row } from '../../../schemas/tables.ts';
import { promptseMultiverse } from '../../../studies/promptse/results/multiverse.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const study = promptseStudy.parse({ name: 'moods', kind: 'promptse', benchmark: 'b' });
const cell = (model: string, task: string, variant: string): Row => ({
  ...{ run: 'r', study: 'moods', model, benchmark: 'b', task_id: task, language: 'python', variant },
  ...{ setting: 'default', repetition: 0 },
});

/** Of 10 samples, how many pass the original of each task and its variant. */
const passed: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  steady: { one: [10, 9], two: [5, 4] },
  touchy: { one: [10, 5], two: [5, 10] },
};

const scoreRows = Object.entries(passed).flatMap(([model, tasks]) =>
  Object.entries(tasks).flatMap(([task, counts]) =>
    counts.map(
      (count, place): Row => ({
        ...cell(model, task, place === 0 ? 'original' : 'moved'),
        ...{ distance: place === 0 ? null : 0.1, emotion: place === 0 ? null : 'happy', edit_distance: null },
        ...{ n_samples: 10, n_passed: count, n_excluded: 0, n_without_logprobs: 0, pass_rate: count / 10 },
        ...{ light_samples: 10, light_passed: count, soft_exec: null, simulated: false },
      }),
    ),
  ),
);

const answer = { loop: 1, step: 'generate', sample: 0 };
/** One answer of two tokens, which passes. */
const tokens = [0.9, 0.4].map(Math.log);
const samples: Row[] = [
  {
    ...cell('steady', 'one', 'original'),
    ...answer,
    ...{ ask: 0, logprob_sum: Math.log(0.36), logprob_tokens: 2, simulated: false },
  },
];

let folder = '';
let database: RunDatabase;
let sides: readonly [Side<typeof study>, Side<typeof study>];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  const model = (id: string, family: string): Row => ({ run: 'r', model: id, provider: 'p', family, roles: 'study' });
  const manifest: Manifest = await writeRun(folder, [
    { table: 'models', page: 'run', rows: [model('steady', 'Calm'), model('touchy', 'Wild')] },
    { table: 'prompt_scores', page: 'moods/a/p0', rows: scoreRows },
    { table: 'samples', page: 'moods/a/p1', rows: samples },
    {
      table: 'logprobs',
      page: 'moods/a/p2',
      rows: [{ ...cell('steady', 'one', 'original'), ...answer, ask: 0, logprobs: tokens, simulated: false }],
    },
    {
      table: 'verdicts',
      page: 'moods/a/p3',
      rows: [{ ...cell('steady', 'one', 'original'), ...answer, suite: 'base', outcome: 'pass', simulated: false }],
    },
  ]);
  database = await openRun(folder);
  sides = [
    { manifest, study, model: 'steady' },
    { manifest, study, model: 'touchy' },
  ];
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const [, , overconfidence, groups] = promptseMultiverse;

describe('confidence minus share passed, of one answer with tokens of 0.9 and 0.4', () => {
  test.each([
    ['geometric mean', 0.6],
    ['arithmetic mean', 0.65],
    ['least', 0.4],
    ['product', 0.36],
  ])('%s', async (definition, confidence) => {
    const found = await overconfidence?.read(database, [sides[0]], { confidence_definition: definition });
    expect(found).toMatchObject([{ metric: 'overconfidence', tasks: { taskIds: ['one'] } }]);
    const [measured] = found ?? [];
    expect(measured?.kind === 'tasks' ? measured.tasks.values[0]?.[0] : null).toBeCloseTo(confidence - 1, 6);
  });

  test('a model without log-probabilities has none', async () => {
    expect(await overconfidence?.read(database, [sides[1]], {})).toEqual([]);
  });
});

describe('Cliff’s delta of |delta pass| between families', () => {
  // By task, touchy moves by 0.5 twice and steady by 0.1: every |delta| of Calm is less. Over tasks, touchy's changes
  // cancel out to 0 and steady's stay 0.1: every |delta| of Calm is more.
  test.each([
    ['task', -1],
    ['distance', 1],
    ['emotion', 1],
  ])('by %s', async (unit, delta) => {
    const found = await groups?.read(database, sides, { delta_unit: unit });
    expect(found).toMatchObject([
      { metric: 'delta_pass_family', group: 'Calm', other: 'Wild', value: delta, tasks: 2 },
    ]);
  });

  test('the study’s own unit comes first', () => {
    const own = { ...study, settings: { ...study.settings, deltaUnit: 'emotion' as const } };
    expect(groups?.choices[0]?.options(own)).toEqual(['emotion', 'task', 'distance']);
  });
});
