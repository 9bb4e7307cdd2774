/** Two runs of ten tasks, in the second of which two tasks have no finished loops. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import type { Row } from '../../schemas/tables.ts';
import { gateOver } from '../../studies/gate.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 10 }, (_, index) => `MBPP/${index + 1}`);
let folder = '';
let database: RunDatabase;

async function write(run: string, finished: number): Promise<void> {
  const rowOf = (task_id: string): Row => ({
    ...{ run, study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false },
  });
  const page = 'loops/org-m-1/r1p0000';
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page } as const),
        rows: taskIds.map((id) => ({
          ...rowOf(id),
          ...{ loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
        })),
      },
      {
        ...({ table: 'loops', page } as const),
        rows: taskIds.slice(0, finished).map((id) => ({ ...rowOf(id), sustained_loops: 1, ended_by: 'survived' })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id) => ({
          ...{ run, benchmark: 'mbpp', task_id, language: 'python', record_sha256: task_id },
        })),
      },
    ],
    { runId: run },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-gate-notes-'));
  await write('old', 10);
  await write('new', 8);
  database = await openRun(['old', 'new'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: the note on ASL under both policies.
test.each([
  ['pass_at_1', []],
  [
    'asl_unweighted',
    [
      'loops: org/m (old) to org/m (new): asl_unweighted (function-only) is compared on 8 tasks; the old version ' +
        'has it for 10 tasks, the new one for 8',
    ],
  ],
])('a rule on %s: notes on the tasks of what it asks about', async (metric, expected) => {
  const policy = gatePolicySchema.parse({ rules: [{ metric, margin: 1 }] });
  const { notes } = await gateOver(database, { run: 'new', against: 'old' }, policy);
  expect(notes.filter((note) => note.includes('is compared on'))).toEqual(expected);
});
