/** Two models with two suites in both runs: a rule on pass@1 applies four times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { gateOver } from '../../studies/gate.ts';
import { writeRun } from '../analysis/run-fixture.ts';
import { plainLoops } from '../support/loop-settings.ts';

const [models, suites] = [
  ['a', 'b'],
  ['base', 'plus'],
];
const spec: Manifest['spec'] = {
  ...{ name: 'r', seed: 7, providers: {}, reuse: [] },
  models: models.map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true })),
  benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', repetitions: 1, settings: plainLoops }],
};

const rowsOf = (run: string): Row[] =>
  models.flatMap((model) =>
    suites.flatMap((suite) =>
      [1, 2, 3].map((task) => ({
        ...{ run, study: 'loops', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
        ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
        ...{ suite, outcome: 'pass', simulated: false },
      })),
    ),
  );

// Red before: 97.5 %, since each model counted by itself.
test('a rule shares its confidence among all comparisons of the gate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-levels-'));
  for (const run of ['old', 'now'])
    await writeRun(
      join(folder, run),
      [
        { table: 'verdicts', page: 'loops/m/r1p0000', rows: rowsOf(run) },
        {
          ...({ table: 'tasks', page: 'run' } as const),
          rows: [1, 2, 3].map((task) => ({
            ...{ run, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python', record_sha256: 'a' },
          })),
        },
      ],
      { runId: run, spec },
    );
  const database = await openRun(['old', 'now'].map((run) => join(folder, run)));
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }, { metric: 'pass_at_1', suite: 'plus' }] });
  const { comparisons } = await gateOver(database, { run: 'now', against: 'old' }, policy);
  database.close();
  await rm(folder, { recursive: true });
  const levels = comparisons.map(({ result }) => result.rules.map(({ checks }) => checks.map(({ level }) => level)));
  const [all, some] = [1 - (1 - 0.95) / 4, 1 - (1 - 0.95) / 2];
  expect(levels).toEqual([
    [[all, all], [some]],
    [[all, all], [some]],
  ]);
});
