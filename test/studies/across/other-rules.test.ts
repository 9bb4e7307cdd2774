/** The same tasks in two runs: the second counts programs that need a missing package as failed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
let folder = '';
let database: RunDatabase;

async function write(run: string, missingPackage: 'excluded' | 'failed'): Promise<void> {
  const isUsual = missingPackage === 'excluded';
  const hashes = (index: number) => ({
    record_sha256: isUsual ? `a${index}` : `b${index}`,
    plain_sha256: isUsual ? null : `a${index === 19 ? 'other' : index}`,
  });
  const { mbpp } = emptyManifest.spec.benchmarks;
  if (mbpp === undefined) throw new Error('the fixture has no benchmark mbpp');
  const judging = { caseLimitMs: 1000, referenceFactor: 2, missingPackage };
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page: 'loops/org-m-1/r1p0000' } as const),
        rows: taskIds.map((task_id) => ({
          ...{ run, study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id, language: 'python' },
          ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
          ...{ suite: 'base', outcome: 'pass', simulated: false },
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id, index) => ({
          ...{ run, benchmark: 'mbpp', task_id, language: 'python', ...hashes(index) },
        })),
      },
    ],
    { runId: run, spec: { ...emptyManifest.spec, benchmarks: { mbpp: { ...mbpp, ...(!isUsual && { judging }) } } } },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-rules-'));
  await write('usual', 'excluded');
  await write('strict', 'failed');
  database = await openRun(['usual', 'strict'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const note =
  'benchmark mbpp is judged by different rules (missingPackage excluded in run usual; missingPackage failed in run ' +
  'strict): verdicts on equal programs may differ; use `rescore` to judge the old replies by the new rule';

// Red before: all 20 tasks were "new or changed".
test('tasks that only another rule judges are compared, with a note on the rules', async () => {
  const { comparisons, notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
  expect(comparisons[0]?.taskIds).toHaveLength(19);
  expect(notes).toEqual(
    expect.arrayContaining(['study loops: 1 new or changed task excluded', `study loops: ${note}`]),
  );
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 30 }] });
  const gate = await gateOver(database, { run: 'strict', against: 'usual' }, policy);
  expect([gate.outcome, gate.notes]).toEqual([
    'passed',
    expect.arrayContaining(['1 task of mbpp, new or changed since run usual: excluded', note]),
  ]);
});
