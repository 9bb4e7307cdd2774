/** Models that differences of a multiverse leave out because they have no value; expected values by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import type { Side } from '../../../analysis/gate/compared.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { promptseStudy } from '../../../schemas/spec/promptse.ts';
import type { Row } from '../../../schemas/tables.ts';
import { type Found, findingsIn } from '../../../studies/multiverse/findings.ts';
import { leftNotes } from '../../../studies/multiverse/left-notes.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const study = promptseStudy.parse({ name: 'moods', kind: 'promptse', benchmark: 'b' });
const cellOf = (model: string): Row => ({
  ...{ run: 'r', study: 'moods', model, benchmark: 'b', task_id: 'one', language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, simulated: false },
});
const answerOf = (model: string): Row => ({ ...cellOf(model), loop: 1, step: 'generate', sample: 0 });

/** Probability of the only token of each model's answer, which passes; null: the model has no log-probabilities. */
const certainties: Readonly<Record<string, number | null>> = { sure: 0.9, mute: null, unsure: 0.4 };
const models = Object.keys(certainties);
const known = Object.entries(certainties).flatMap(([model, certainty]) =>
  certainty === null ? [] : [{ model, logprob: Math.log(certainty) }],
);
const logprobOf = (model: string): number | null => known.find((one) => one.model === model)?.logprob ?? null;

let folder = '';
let database: RunDatabase;
let manifest: Manifest;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  manifest = await writeRun(folder, [
    {
      table: 'samples',
      page: 'moods/a/p0',
      rows: models.map((model) => ({
        ...answerOf(model),
        ...{ ask: 0, logprob_sum: logprobOf(model), logprob_tokens: logprobOf(model) === null ? null : 1 },
      })),
    },
    {
      table: 'prompt_scores',
      page: 'moods/a/p3',
      rows: models.map((model) => ({
        ...cellOf(model),
        ...{ distance: null, emotion: null, edit_distance: null, n_samples: 1, n_passed: 1, n_excluded: 0 },
        ...{ n_without_logprobs: 0, pass_rate: 1, light_samples: 1, light_passed: 1, soft_exec: null },
      })),
    },
    {
      table: 'logprobs',
      page: 'moods/a/p1',
      rows: known.map(({ model, logprob }) => ({ ...answerOf(model), ask: 0, logprobs: [logprob] })),
    },
    {
      table: 'verdicts',
      page: 'moods/a/p2',
      rows: models.map((model) => ({ ...answerOf(model), suite: 'counted', outcome: 'pass' })),
    },
  ]);
  database = await openRun(folder);
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const found = (metric: string, names: readonly string[]): Promise<Found> => {
  const [first, ...others] = names.map((model): Side => ({ manifest, study, model }));
  return findingsIn({
    ...{ database, study, options: {}, isOwn: true, metric, sides: [first as Side, ...others] },
    ...{ isSimulated: () => false, notAsked: () => 0 },
  });
};

// Red before: no difference in overconfidence at all, since one of the three has no value.
test('a model without log-probabilities is left out, and the others are compared', async () => {
  const { findings, left } = await found('overconfidence', models);
  const differences = findings.filter(({ subject, estimate }) => subject.other !== null && estimate !== null);
  // One answer of one token: the same by every definition of confidence, stored with six digits or more.
  expect(differences).toHaveLength(4);
  for (const { subject, estimate, tasks } of differences)
    expect([subject.model, subject.other, estimate, tasks]).toEqual(['sure', 'unsure', expect.closeTo(0.5, 6), 1]);
  const place = { metric: 'overconfidence', dimension: 'function-only', workflow: 'function-only' };
  expect(left).toEqual(Array.from({ length: 4 }, () => ({ ...place, models: ['mute'] })));
  expect(leftNotes('moods', [{ findings, left }])).toEqual([
    'study moods, overconfidence: mute has no value of any task: left out of differences',
  ]);
});

test('a metric that all models have leaves nobody out', async () => {
  const { findings, left } = await found('pass_at_1', models);
  expect(findings.filter(({ subject }) => subject.other !== null)).toHaveLength(3);
  expect(left).toEqual([]);
});

// Red before: not a word.
test('nothing is compared where a single model has values, which a note says', async () => {
  const { findings, left } = await found('overconfidence', ['mute', 'sure']);
  expect(findings.filter(({ subject, estimate }) => subject.other !== null && estimate !== null)).toEqual([]);
  expect(leftNotes('moods', [{ findings, left }])).toEqual([
    'study moods, overconfidence: only sure has a value of any task: nothing is compared there',
  ]);
});

test('a note says under which conditions, and whether the model has values in other universes', () => {
  const of = (dimension: string, names: readonly string[]) => ({
    ...{ metric: 'code_smell', dimension, workflow: dimension },
    models: names,
  });
  const compared = [of('design', []), of('readability', [])].map(({ metric, dimension, workflow }) => ({
    ...{ options: {}, isOwn: true, unit: '', direction: null, isSigned: true, estimate: 0, interval: null, tasks: 1 },
    ...{ notAsked: 0, simulated: false },
    subject: { study: 's', benchmark: 'b', metric, dimension, workflow, model: 'a', other: 'b' },
  }));
  const [both, one] = [[of('design', ['c']), of('readability', ['c'])], [of('design', ['c', 'd'])]];
  const notes = leftNotes('s', [
    { findings: compared, left: both ?? [] },
    { findings: compared, left: [...(both ?? []), ...(one ?? [])] },
  ]);
  expect(notes).toEqual([
    'study s, code_smell: c has no value of any task: left out of differences',
    'study s (design), code_smell: c, d have no value of any task in some universes: left out of differences',
  ]);
});
