/** Tasks whose reference gives no output: nobody can be judged on them, so they count for no model anywhere. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import type { Row } from '../../schemas/tables.ts';
import { cardsOf } from '../../studies/cards.ts';
import { compareOver } from '../../studies/compare.ts';
import { gateOver } from '../../studies/gate.ts';
import { writeRun } from '../analysis/run-fixture.ts';

/** The references of the last ten of 30 tasks give no output. One model passes the other 20, one 10 of them. */
const taskIds = Array.from({ length: 30 }, (_, task) => `MBPP/${task + 1}`);
const isDead = (task: number): boolean => task >= 20;
const passes = (model: string, task: number): boolean => model === 'good' || task < 10;
/** On five of the ten, the second model's answer has no code. */
const hasCode = (model: string, task: number): boolean => model === 'good' || task < 25;

const cell = (model: string, task_id: string): Row => ({
  ...{ run: 'r', study: 'loops', model, benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, simulated: false },
});

const rowsOf = (row: (model: string, task: number) => Row): Row[] =>
  ['good', 'bad'].flatMap((model) =>
    taskIds.map((task_id, task) => ({ ...cell(model, task_id), ...row(model, task) })),
  );

function verdict(model: string, task: number): Row {
  const ran = { ...{ loop: 1, step: 'generate', sample: 0, suite: 'base' }, execution_id: `${model}${task}` };
  if (!hasCode(model, task)) return { ...ran, outcome: 'no_code', execution_id: null };
  return { ...ran, outcome: isDead(task) ? 'not_run' : passes(model, task) ? 'pass' : 'wrong_output' };
}

function loops(model: string, task: number): Row {
  if (isDead(task))
    return { ended_by: hasCode(model, task) ? 'excluded' : 'no_code', sustained_loops: 0, similarity: null };
  const sustained_loops = passes(model, task) ? 3 : 0;
  return { ended_by: sustained_loops === 3 ? 'survived' : 'code_failed', sustained_loops, similarity: null };
}

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-without-reference-'));
  const manifest = await writeRun(
    join(folder, 'r'),
    [
      { table: 'verdicts', page: 'loops/m/r1p0000', rows: rowsOf(verdict) },
      { table: 'loops', page: 'loops/m/r1p0000', rows: rowsOf(loops) },
      { table: 'models', page: 'run', rows: ['good', 'bad'].map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r' },
  );
  const named = ['good', 'bad'].map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true }));
  const spec = { ...manifest.spec, models: named };
  await writeFile(join(folder, 'r', 'manifest.json'), JSON.stringify({ ...manifest, spec }));
  database = await openRun(join(folder, 'r'));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: 47.2 to 100 %, and not told apart, since ten answers of each model counted as failed, and as passed.
test('cards have the 20 tasks that can be judged', async () => {
  const { cards } = await cardsOf(database);
  const rows = cards.filter(({ metric }) => metric === 'pass_at_1' || metric === 'asl');
  const told = new Map(
    rows.map((row) => [`${row['metric']} ${row['model']}`, [row['estimate'], row['n_tasks'], row['n_worse']]]),
  );
  expect(Object.fromEntries(told)).toEqual({
    // i² s / M is 3 or 0, and s is 1 there.
    'asl bad': [1.5, 20, 0],
    'asl good': [3, 20, 1],
    'pass_at_1 bad': [50, 20, 0],
    'pass_at_1 good': [100, 20, 1],
  });
  const good = rows.find(({ metric, model }) => metric === 'pass_at_1' && model === 'good');
  // Clopper and Pearson's lower end of 20 of 20 is the 20th root of 0.025.
  expect(good?.['estimate_lo']).toBeCloseTo(100 * 0.025 ** (1 / 20), 6);
});

test.each(['pass_at_1', 'asl_unweighted'] as const)('compare has the same 20 tasks: %s', async (metric) => {
  const { comparisons } = await compareOver(database, { metric, byVariant: false, margin: 0, alpha: 0.05 });
  const [comparison] = comparisons;
  expect(comparison?.taskIds).toHaveLength(20);
  expect(comparison?.unjudged ?? []).toEqual([]);
  // Ten tasks of the second model differ, all in one direction: 2 / 2^10.
  expect(comparison?.pairs.map(({ p }) => p)).toEqual([expect.closeTo(2 ** -9, 12)]);
});

// Red before: five answers without code, on tasks on which the old version could not be judged, counted as lost.
test('a gate counts neither what could not be judged there nor what held no code', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 5 }] });
  const gate = await gateOver(database, { run: 'r', old: 'good', now: 'bad' }, policy);
  const [check] = gate.comparisons.flatMap(({ result }) => result.rules.flatMap(({ checks }) => checks));
  expect([check?.outcome, check?.difference, check?.tasks?.n, check?.unjudged]).toEqual(['failed', -50, 20, undefined]);
});
