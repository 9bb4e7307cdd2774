/** PromptSE on models none of which has log-probabilities: the full method has no values, and a note says so. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { compareOver } from '../../../studies/compare.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const models = ['bare', 'mute'];
const spec = parseSpec(
  `
name: silent
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: words, kind: promptse, benchmark: mbpp, repetitions: 1, settings: { samples: 4, variants: 1 } }
`,
  'silent.yaml',
);

const cell = (model: string, task: number, variant: string): Row => ({
  ...{ run: 'silent', study: 'words', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
  ...{ variant, setting: 'default', repetition: 0, simulated: false },
});

const prompts = (model: string, task: number): Row[] =>
  [null, 0.1, 0.2, 0.3].map((distance) => ({
    ...cell(model, task, distance === null ? 'original' : `v-${distance}`),
    ...{ distance, n_samples: 4, n_passed: 4, n_excluded: 0, n_without_logprobs: 4 },
    ...{ light_samples: 4, light_passed: 4, pass_rate: 1, soft_exec: null },
  }));

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-silent-'));
  const cells = models.flatMap((model) => Array.from({ length: 10 }, (_, task) => ({ model, task })));
  const verdicts = cells.map(({ model, task }) => ({
    ...cell(model, task, 'original'),
    ...{ loop: 0, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
  }));
  await writeRun(
    join(folder, 'silent'),
    [
      { table: 'prompt_scores', page: 'words/m/r1p0000', rows: cells.flatMap((at) => prompts(at.model, at.task)) },
      { table: 'verdicts', page: 'words/m/r1p0000', rows: verdicts },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'silent', model, simulated: false })) },
    ],
    { runId: 'silent', spec },
  );
  database = await openRun(join(folder, 'silent'));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: no note, so the full method was missing without a word.
test('a note says that no model has a value by the full method; the light one is compared', async () => {
  const { comparisons, notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
  const areas = comparisons.filter(({ subject }) => subject.metric === 'auc_e_normalized');
  expect(areas.map(({ subject, taskIds }) => [subject.dimension, taskIds.length])).toEqual([['light', 10]]);
  // With one set of answers to the original there is no floor, by either method.
  expect(notes.filter((note) => note.includes('no model has'))).toEqual([
    'study words (full), auc_e_normalized: no model has a value of any task: nothing is compared there',
    'study words, auc_e_excess: no model has a value of any task: nothing is compared there',
  ]);
});
