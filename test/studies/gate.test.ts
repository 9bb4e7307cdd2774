/** Two dated runs of the same EVALOOP study: the gate compares first answers, task by task. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gateOver } from '../../studies/gate.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import type { Row } from '../../schemas/tables.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 40 }, (_, index) => `MBPP/${index + 1}`);
const verdict = (run: string, taskId: string, passed: boolean, more: Row = {}): Row => ({
  ...{ run, study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id: taskId, language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
  ...{ suite: 'base', outcome: passed ? 'pass' : 'wrong_output', simulated: false },
  ...more,
});
const task = (run: string, taskId: string, hash: string): Row => ({
  ...{ run, benchmark: 'mbpp', task_id: taskId, language: 'python', record_sha256: hash },
});

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-gate-'));
  const write = (run: string, passes: (index: number) => boolean, hash: (index: number) => string) =>
    writeRun(
      join(folder, run),
      [
        {
          table: 'verdicts',
          page: 'loops/org-m-1/r1p0000',
          rows: taskIds.map((id, index) => verdict(run, id, passes(index))),
        },
        // A later loop does not count here.
        {
          table: 'verdicts',
          page: 'loops/org-m-1/r1p0001',
          rows: taskIds.map((id) => verdict(run, id, false, { loop: 2 })),
        },
        {
          table: 'models',
          page: 'run',
          rows: ['org/m', 'org/other'].map((model) => ({ run, model, simulated: run === 'tuesday' })),
        },
        { table: 'tasks', page: 'run', rows: taskIds.map((id, index) => task(run, id, hash(index))) },
      ],
      { runId: run },
    );
  await write(
    'monday',
    () => true,
    () => 'a',
  );
  await writeRun(
    join(folder, 'wednesday'),
    [
      {
        table: 'verdicts',
        page: 'loops/org-m-1/r1p0000',
        rows: taskIds.map((id, index) =>
          verdict('wednesday', id, true, index < 20 ? { outcome: 'missing_dependency' } : {}),
        ),
      },
      { table: 'models', page: 'run', rows: [{ run: 'wednesday', model: 'org/m', simulated: false }] },
      { table: 'tasks', page: 'run', rows: taskIds.map((id) => task('wednesday', id, 'a')) },
    ],
    { runId: 'wednesday' },
  );
  await write(
    'tuesday',
    (index) => index >= 20,
    (index) => (index === 39 ? 'b' : 'a'),
  );
  database = await openRun(['monday', 'tuesday', 'wednesday'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const policy = (rule: object) => gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', ...rule }] });

test('20 of 39 tasks are lost between two runs; the task whose tests changed is excluded and named', async () => {
  const report = await gateOver(database, { run: 'tuesday', against: 'monday' }, policy({ margin: 10 }));
  expect(report).toMatchObject({
    outcome: 'failed',
    comparisons: [{ title: 'loops: org/m (monday) to org/m (tuesday)' }],
    // The other model of the run is not part of it.
    notes: [
      '1 task of mbpp, new or changed since run monday: excluded',
      'simulated: org/m; the verdict says nothing about any real model',
    ],
  });
  const [check] = report.comparisons[0]?.result.rules[0]?.checks ?? [];
  expect(check).toMatchObject({ old: 100, subject: { suite: 'base', dimension: 'function-only', benchmark: 'mbpp' } });
  expect(check?.now).toBeCloseTo((100 * 19) / 39, 9);
});

// Red before: it passed, on the 20 tasks that were judged.
test('a model does not pass whose unjudged answers could exceed the margin', async () => {
  const request = { run: 'wednesday', against: 'monday' };
  const { outcome, comparisons } = await gateOver(database, request, policy({ margin: 40 }));
  const [check] = comparisons[0]?.result.rules[0]?.checks ?? [];
  expect([outcome, check?.tasks?.n, check?.heldBack]).toEqual(['inconclusive', 20, 'passed']);
  expect(check?.unjudged).toMatchObject({ old: 0, now: 20, worstCase: { old: 100, now: 50 } });
  expect((await gateOver(database, request, policy({ margin: 80 }))).outcome).toBe('passed');
});

test('the other way round it is a gain, which passes', async () => {
  expect(await gateOver(database, { run: 'monday', against: 'tuesday' }, policy({}))).toMatchObject({
    outcome: 'passed',
  });
});

test('without another run, and without a regression study, there is nothing to compare', async () => {
  await expect(gateOver(database, { run: 'monday' }, policy({}))).rejects.toThrow(
    'has no regression study: name two of its models',
  );
  await expect(gateOver(database, { run: 'monday', study: 'lops' }, policy({}))).rejects.toThrow('has no study "lops"');
});

test('a run against itself is named as such', async () => {
  const itself = gateOver(database, { run: 'monday', against: 'monday' }, policy({}));
  await expect(itself).rejects.toThrow('--against names run monday itself: name another run, or two models');
});

test('a model is not compared with itself', async () => {
  for (const against of [{ against: 'monday' }, {}]) {
    const itself = gateOver(database, { run: 'monday', ...against, old: 'org/m', now: 'org/m' }, policy({}));
    await expect(itself).rejects.toThrow('--old and --new both name "org/m" of run monday');
  }
});

test('a rule that applies to nothing is inconclusive, and a note lists the known names', async () => {
  const report = await gateOver(
    database,
    { run: 'tuesday', against: 'monday' },
    policy({ suite: 'bas', dimension: 'function-only' }),
  );
  expect(report.outcome).toBe('inconclusive');
  expect(report.notes).toContain('rule 1 (pass_at_1) applies to nothing: unknown suite "bas"; known: base');
});

test('models that are in no study are named', async () => {
  const request = { run: 'tuesday', against: 'monday', old: 'org/m', now: 'org/n' };
  await expect(gateOver(database, request, policy({}))).rejects.toThrow(
    'no study has both models, "org/m" in monday and "org/n" in tuesday',
  );
});
