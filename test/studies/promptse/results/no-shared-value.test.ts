/** A model with values of PromptSE, of which none is on the tasks that all models share; expected values by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import type { Side } from '../../../../analysis/gate/compared.ts';
import { gatePolicySchema } from '../../../../domain/gate/policy.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { cardsOf } from '../../../../studies/cards.ts';
import { compareOver } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import { findingsIn } from '../../../../studies/multiverse/findings.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const models = ['half', 'mix', 'steady'];
const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: moods, kind: promptse, benchmark: b, repetitions: 2, settings: { variants: 1, samples: 2 } }]
`,
  'r.yaml',
);
const [study] = spec.studies;

/** Of two answers, all judged or none: `passed` of them passed. */
const scoreOf = (model: string, task: number, variant: string, repetition: number, passed: number | null): Row => ({
  ...{ run: 'r', study: 'moods', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', variant },
  ...{ setting: 'default', repetition, simulated: false, emotion: null, edit_distance: null },
  distance: variant === 'original' ? null : Number(variant.slice(1)),
  ...{ n_samples: passed === null ? 0 : 2, n_passed: passed ?? 0, n_excluded: passed === null ? 2 : 0 },
  ...{ light_samples: passed === null ? 0 : 2, light_passed: passed ?? 0, n_without_logprobs: 0 },
  ...{ pass_rate: passed === null ? null : passed / 2, soft_exec: passed === null ? null : passed / 2 },
});

/** Of half only the last task was judged, for which mix has no log-probabilities. Mix passes one of two on variants. */
function rowsOf(model: string, task: number): Row[] {
  const isUnjudged = model === 'half' && task < 3;
  const [original, variant] = isUnjudged ? [null, null] : [2, model === 'mix' ? 1 : 2];
  const rows = [
    scoreOf(model, task, 'original', 0, original),
    scoreOf(model, task, 'original', 1, original),
    ...[0.1, 0.2, 0.3].map((distance) => scoreOf(model, task, `v${distance}`, 0, variant)),
  ];
  return model === 'mix' && task === 3 ? rows.map((row) => ({ ...row, soft_exec: null, n_without_logprobs: 2 })) : rows;
}

let folder = '';
let database: RunDatabase;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-shared-'));
  const rows = models.flatMap((model) => [0, 1, 2, 3].flatMap((task) => rowsOf(model, task)));
  const verdicts = rows
    .filter(({ repetition }) => repetition === 0)
    .map((row) => ({ ...row, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' }));
  manifest = await writeRun(
    folder,
    [
      { table: 'prompt_scores', page: 'moods/m/r1p0000', rows },
      { table: 'verdicts', page: 'moods/m/r1p0001', rows: verdicts },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r', spec },
  );
  database = await openRun(folder);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: a crash, so that such a run never ended.
test('its card has no value and says why; the others are ranked without it', async () => {
  const { cards } = await cardsOf(database);
  const own = cards.filter(({ metric, condition }) => metric === 'auc_e_excess' && condition === 'full');
  expect(own).toMatchObject([
    { model: 'half', estimate: null, rank: null, n_tasks: 0, n_own_tasks: 1 },
    // 6/9 of an elasticity of 1/2, less a floor of 1.
    { model: 'mix', estimate: expect.closeTo(-1 / 3, 12), rank: 2, n_models: 2, n_tasks: 3, reason: null },
    { model: 'steady', estimate: 0, rank: 1, n_models: 2, n_tasks: 3, reason: null },
  ]);
  expect(own[0]?.['reason']).toBe('it has no value on the shared tasks');
});

// Red before: "no answer of half could be judged".
test('it is in no comparison, and the note says what is so', async () => {
  const request = { metric: 'auc_e_excess', byVariant: false, margin: 0, alpha: 0.05 } as const;
  const { comparisons, notes } = await compareOver(database, request);
  const full = comparisons.find(({ subject }) => subject.dimension === 'full');
  expect(full?.models.map(({ name }) => name)).toEqual(['mix', 'steady']);
  // Three of three tasks: 2 / 2^3.
  expect(full?.pairs).toMatchObject([{ difference: expect.closeTo(-1 / 3, 12), p: 0.25, pHolm: 0.25 }]);
  expect(notes).toContain('study moods (full), auc_e_excess: half has no value on the shared tasks: left out');
});

test('a gate of it compares nothing', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'auc_e_excess', dimension: 'full', margin: 0.3 }] });
  const { outcome } = await gateOver(database, { run: 'r', old: 'mix', now: 'half' }, policy);
  expect(outcome).toBe('inconclusive');
});

// Red before: differences from its 0 that stood for values that nobody knows.
test('a multiverse has no difference from it', async () => {
  if (study === undefined) throw new Error('the spec has a study');
  const [first, ...others] = models.map((model): Side => ({ manifest, study, model }));
  const { findings } = await findingsIn({
    ...{ database, study, options: {}, isOwn: true, metric: 'auc_e_excess', sides: [first as Side, ...others] },
    ...{ isSimulated: () => false, notAsked: () => 0 },
  });
  const found = findings.filter(({ subject: { dimension, other } }) => dimension === 'full' && other !== null);
  expect(found.map(({ subject, estimate, tasks }) => [subject.model, subject.other, estimate, tasks])).toEqual([
    ['half', 'mix', null, 0],
    ['half', 'steady', null, 0],
    ['mix', 'steady', expect.closeTo(-1 / 3, 12), 3],
  ]);
});
