/** Two runs of 20 tasks with two different prompts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { collectExamples } from '../../../analysis/report/examples.ts';
import { renderReport } from '../../../analysis/report/html/page.ts';
import { renderJson } from '../../../analysis/report/json.ts';
import { renderMarkdown } from '../../../analysis/report/text/report-markdown.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { collectReport } from '../../../studies/report.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
let folder = '';
let database: RunDatabase;

async function write(run: string, prompts: number): Promise<void> {
  const place = { run, benchmark: 'mbpp', language: 'python' };
  const first = { variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 };
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page: 'loops/org-m-1/r1p0000' } as const),
        rows: taskIds.map((task_id) => ({
          ...{ ...place, ...first, study: 'loops', model: 'org/m', task_id },
          ...{ suite: 'base', outcome: 'pass', simulated: false },
        })),
      },
      {
        ...({ table: 'loops', page: 'loops/org-m-1/r1p0000' } as const),
        rows: taskIds.map((task_id) => ({
          ...{ ...place, study: 'loops', model: 'org/m', task_id, variant: 'original', setting: 'default' },
          ...{ repetition: 0, simulated: false, sustained_loops: 1, ended_by: 'survived' },
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id, index) => ({
          ...{ ...place, task_id, record_sha256: task_id, prompt: `prompt ${index % prompts}`, entry_point: 'f' },
        })),
      },
    ],
    { runId: run },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-repeated-'));
  for (const run of ['one', 'two']) await write(run, 2);
  await write('apart', 20);
  database = await openRun(['one', 'two'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: not a word.
test('compare and gate count the tasks that repeat another one, once', async () => {
  const note = expect.stringMatching(/^18 of 20 tasks of benchmark mbpp repeat another one's prompt: /);
  const { notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
  const gate = await gateOver(
    database,
    { run: 'two', against: 'one' },
    gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 50 }] }),
  );
  expect([notes.filter((text) => text.includes('repeat')), gate.notes]).toEqual([[note], [note]]);
});

// Red before: not a word, in no format.
test('a report says it on its first screen and on the page of the study, and as data', async () => {
  const report = await collectReport(database);
  const html = await renderReport(report, await collectExamples(database));
  const text = 'Study loops: 18 of 20 tasks of benchmark mbpp repeat another one';
  expect(html).toContain('<summary><b>Repeated tasks</b> 18 of 20 in study loops</summary>');
  expect(html.split(text)).toHaveLength(3);
  expect(renderMarkdown(report).split(text)).toHaveLength(3);
  expect(JSON.parse(await renderJson(report))).toMatchObject({
    repeatedTasks: [{ study: 'loops', kind: 'evaloop', benchmark: 'mbpp', tasks: 20, repeated: 18 }],
  });
});

test('of tasks with a prompt of their own nothing is said', async () => {
  const apart = await openRun([join(folder, 'apart')]);
  const report = await collectReport(apart);
  apart.close();
  expect([report.cards.repeated, renderMarkdown(report).includes('repeat')]).toEqual([[], false]);
});
