/** A run of a real and a simulated model, with simulated helpers: each row of each table says which it is about. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { type Table, tables } from '../../../schemas/tables.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { badReplies, benchmarkText, fenced, replayText, rightCode, tinyTasks } from '../../support/tiny-tasks.ts';

const tasks = tinyTasks(3);
const real = tasks.flatMap((task, index) => [
  { task_id: task.id, reply: fenced(rightCode(task)), logprobs: [-0.1, -0.2] },
  { task_id: task.id, step: 'summarize', reply: 'Add the amount to the number.' },
  // The first task breaks in loop 2, so that the judge is asked.
  ...(index === 0 ? [{ task_id: task.id, step: 'generate', loop: 2, reply: badReplies.wrong_output(task) }] : []),
]);
// Another recording is another writer: sets of earlier runs of this test are not reused.
const unused = { task_id: `Nobody/${randomUUID()}`, reply: 'Never asked.' };

const spec = `
name: labels
models:
  - { id: real, provider: replay, file: real.jsonl, family: A, sizeB: 1 }
  - { id: sim, provider: simulated, profile: { competence: 0.7, logprobs: true }, family: A, sizeB: 2 }
  - { id: helper, provider: simulated, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 3, judge: helper } }
  - { name: moods, kind: promptse, benchmark: tiny, repetitions: 2, settings: { variants: 1, samples: 2 } }
  - { name: ways, kind: robunfr-workflows, benchmark: tiny, repetitions: 2, settings: { dimensions: [reliability] } }
  - { name: update, kind: robunfr-regression, benchmark: tiny, repetitions: 2,
      settings: { pairs: [[real, sim]], dimensions: [reliability] } }
  - name: detail
    kind: specificity
    benchmark: tiny
    settings: { labeller: helper, wordLimits: [6, 12], ratios: [0.5], maskRatios: [0.5], draws: 1 }
`;

let deployment: Deployment;
let database: RunDatabase;

beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  deployment.write('real.jsonl', replayText([...real, unused]));
  const end = await deployment.evenkeel('run', deployment.write('labels.yaml', spec));
  expect([end.status, end.output]).toEqual([0, expect.anything()]);
  database = await openRun(join(deployment.runsDir, 'labels'));
}, 180_000);
afterAll(async () => {
  database?.close();
  await deployment?.close();
});

/** Whose answers a row rests on: the model under study unless the table says more. */
const restsOn: Readonly<Record<string, readonly string[]>> = {
  settings: ['judge'],
  calls: ['answering_model'],
  samples: ['answering_model'],
  logprobs: ['model'],
  judgements: ['model', 'judge'],
  labels: ['labeller'],
  loop_pairs: ['model', 'other_model'],
  loop_tests: ['model', 'other_model'],
  loop_ranks: ['model'],
  specificity_sizes: ['smallest', 'largest'],
  regression: ['old_model', 'model'],
};

const labelled = Object.values(tables as Readonly<Record<string, Table>>).filter(
  ({ columns }) => columns['simulated'] !== undefined,
);

test('simulated is true of rows that rest on a simulated model, and of no other', async () => {
  const seen: string[] = [];
  for (const { name, columns } of labelled) {
    const rows = await records(database, `select * from ${name}`);
    if (rows.length > 0) seen.push(name);
    const named = restsOn[name] ?? (columns['model'] === undefined ? [] : ['model']);
    for (const row of named.length === 0 || name === 'theme_passing' ? [] : rows) {
      const models = named.map((column) => row[column]).filter((model) => model !== null);
      const expected = models.length === 0 ? null : models.some((model) => model !== 'real');
      expect([name, row['simulated'], models]).toEqual([name, expected, models]);
    }
  }
  expect(seen).toEqual(
    expect.arrayContaining([
      'settings',
      'calls',
      'logprobs',
      'judgements',
      'labels',
      'specificity_sizes',
      'regression',
      'auc_e',
    ]),
  );
}, 60_000);

test('rows from labels of a simulated model are marked too, variants worded by rules are not', async () => {
  const of = async (name: string) =>
    (await records(database, `select distinct simulated from ${name}`)).map((row) => row['simulated']);
  expect(await of('theme_counts')).toEqual([true]);
  expect(await of('theme_agreement')).toEqual([true]);
  expect(await of('theme_passing')).toEqual([true]);
  expect(await of('variants')).toEqual([false]);
});
