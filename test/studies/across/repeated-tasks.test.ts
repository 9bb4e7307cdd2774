/** Two runs of 20 tasks with two different prompts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
let folder = '';
let database: RunDatabase;

async function write(run: string): Promise<void> {
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
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id, index) => ({
          ...{ ...place, task_id, record_sha256: task_id, prompt: `prompt ${index % 2}`, entry_point: 'f' },
        })),
      },
    ],
    { runId: run },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-repeated-'));
  for (const run of ['one', 'two']) await write(run);
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
  expect([notes, gate.notes]).toEqual([[note], [note]]);
});
