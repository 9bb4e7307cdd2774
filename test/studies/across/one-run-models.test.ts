/** What only one of the two runs of a gate has: each model and study is named, so that none vanishes without a word. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { passStudy } from '../../../schemas/spec/pass.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { type GateRequest, gateOver } from '../../../studies/gate.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';

const tasks = Array.from({ length: 10 }, (_, index) => `MBPP/${index + 1}`);

let folder = '';
let database: RunDatabase;

/** @param studies by name, their models */
async function write(
  run: string,
  studies: Readonly<Record<string, readonly string[]>>,
  kinds: Readonly<Record<string, SpecStudy>> = {},
): Promise<void> {
  const models = [...new Set(Object.values(studies).flat())];
  const key = { run, benchmark: 'mbpp', language: 'python' };
  const rows = Object.entries(studies).flatMap(([study, own]) =>
    own.flatMap((model) =>
      tasks.map((task_id) => ({
        ...{ ...key, study, model, task_id, variant: 'original', setting: 'default', repetition: 0 },
        ...{ loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass', simulated: false },
      })),
    ),
  );
  const [plain] = emptyManifest.spec.studies;
  if (plain === undefined) throw new Error('the fixture has a study');
  await writeRun(
    join(folder, run),
    [
      { table: 'verdicts', page: 'loops/m/r1p0000', rows },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      { table: 'tasks', page: 'run', rows: tasks.map((task_id) => ({ ...key, task_id, record_sha256: 'a' })) },
    ],
    {
      runId: run,
      spec: {
        ...emptyManifest.spec,
        models: models.map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true })),
        studies: Object.entries(studies).map(([name, own]) => ({ ...(kinds[name] ?? plain), name, models: [...own] })),
      },
    },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-one-run-'));
  await write('na', { loops: ['steady', 'other', 'late'], more: ['steady', 'other'], gone: ['retired'] });
  await write('nb', { loops: ['steady', 'third'], more: ['steady', 'third', 'late'] });
  await write(
    'nc',
    { loops: ['steady'], more: ['steady'], fresh: ['steady'] },
    { more: passStudy.parse({ name: 'more', kind: 'pass', benchmark: 'mbpp' }) },
  );
  database = await openRun(['na', 'nb', 'nc'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

async function gated(
  more: Partial<GateRequest> = {},
  of: 'model' | 'study' = 'model',
): Promise<{ outcome: string; notes: string[] }> {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 40 }] });
  const { outcome, notes } = await gateOver(database, { run: 'nb', against: 'na', ...more }, policy);
  return { outcome, notes: notes.filter((note) => note.startsWith(`${of} `)) };
}

const third = 'model third is new since run na: nothing to compare it with, so it is not gated';
const other = 'model other of run na is not in run nb: not gated';

// Red before: no note, so that the gate of a renamed model vanished.
test('a model of one run only is named, with the studies that lack it if not all do, and decides nothing', async () => {
  const { outcome, notes } = await gated();
  expect(outcome).toBe('passed');
  expect(notes).toEqual([
    third,
    'model late is new in study more since run na: nothing to compare it with, so it is not gated',
    other,
    'model late of run na is not in study loops of run nb: not gated',
    'model retired of run na is not in run nb: not gated',
  ]);
});

test('with --study, only the models of this study are named', async () => {
  expect((await gated({ study: 'loops' })).notes).toEqual([
    third,
    other,
    'model late of run na is not in study loops of run nb: not gated',
  ]);
});

test('two models that the user names are the only ones that are asked for', async () => {
  expect(await gated({ old: 'other', now: 'third' })).toEqual({ outcome: 'passed', notes: [] });
});

// Red before: no note, so that a study vanished from the gate.
test('a study of one run only is named, and decides nothing', async () => {
  expect(await gated({}, 'study')).toEqual({
    outcome: 'passed',
    notes: ['study gone of run na is not in run nb: not gated'],
  });
  expect(await gated({ run: 'nc' }, 'study')).toEqual({
    outcome: 'passed',
    notes: [
      'study more is of kind evaloop in run na and of kind pass in run nc: not gated',
      'study fresh is new since run na: nothing to compare it with, so it is not gated',
      'study gone of run na is not in run nc: not gated',
    ],
  });
});

test('with --study, or two models that the user names, only their studies are named', async () => {
  expect((await gated({ run: 'nc', study: 'loops' }, 'study')).notes).toEqual([]);
  const named = { run: 'nc', old: 'retired', now: 'steady' };
  await expect(gated(named, 'study')).rejects.toThrow('no study has both models');
  expect((await gated({ old: 'steady', now: 'third' }, 'study')).notes).toEqual([]);
  expect((await gated({ run: 'na', against: 'nc', old: 'steady', now: 'other' }, 'study')).notes).toEqual([
    'study more is of kind pass in run nc and of kind evaloop in run na: not gated',
    'study fresh of run nc is not in run na: not gated',
  ]);
});
