/** Three models in one run and one of them in another: paired by task, cut to what they share. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparisonRows } from '../../analysis/compare/rows.ts';
import { compareParts, extentText, titleOf } from '../../analysis/compare/parts.ts';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { partsMarkdown } from '../../analysis/report/text/markdown.ts';
import { decisiveFirst } from '../../domain/compare/comparison.ts';
import type { Row } from '../../schemas/tables.ts';
import { cardsOf } from '../../studies/cards.ts';
import { comparedCards, compareOver, type CompareRequest } from '../../studies/compare.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const models = ['weak', 'strong', 'sparse'];
const taskIds = Array.from({ length: 40 }, (_, index) => `MBPP/${index + 1}`);
/** Strong passes all but the last two tasks, weak the last 12; sparse equals strong and lacks the first 10 tasks. */
const passes = (model: string, task: number): boolean => (model === 'weak' ? task >= 28 : task < 38);
const tasksOf = (model: string): number[] =>
  taskIds.map((_, task) => task).filter((task) => model !== 'sparse' || task >= 10);

const cell = (run: string, model: string, task: number): Row => ({
  ...{ run, study: 'loops', model, benchmark: 'mbpp', task_id: taskIds[task] as string, language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0, simulated: model === 'weak' },
});

let folder = '';
let database: RunDatabase;
let both: RunDatabase;

async function write(run: string, own: readonly string[], hash: (task: number) => string): Promise<void> {
  const cells = own.flatMap((model) => tasksOf(model).map((task) => ({ model, task })));
  const manifest = await writeRun(
    join(folder, run),
    [
      {
        table: 'verdicts',
        page: 'loops/m-1/r1p0000',
        rows: cells.map(({ model, task }) => ({
          ...cell(run, model, task),
          ...{ loop: 1, step: 'generate', sample: 0, suite: 'base' },
          outcome: passes(model, task) ? 'pass' : 'wrong_output',
        })),
      },
      {
        table: 'loops',
        page: 'loops/m-1/r1p0000',
        rows: cells.map(({ model, task }) => ({
          ...cell(run, model, task),
          sustained_loops: passes(model, task) ? 3 : 0,
          ended_by: passes(model, task) ? 'survived' : 'code_failed',
          similarity: null,
        })),
      },
      { table: 'models', page: 'run', rows: own.map((model) => ({ run, model, simulated: model === 'weak' })) },
      {
        table: 'tasks',
        page: 'run',
        rows: taskIds.map((id, task) => ({
          ...{ run, benchmark: 'mbpp', task_id: id, language: 'python', record_sha256: hash(task) },
        })),
      },
    ],
    { runId: run },
  );
  const named = own.map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true }));
  const spec = { ...manifest.spec, models: named };
  await writeFile(join(folder, run, 'manifest.json'), JSON.stringify({ ...manifest, spec }));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-compare-'));
  await write('monday', models, () => 'a');
  await write('tuesday', ['strong'], (task) => (task === 0 ? 'b' : 'a'));
  await write('friday', ['late'], () => 'a');
  database = await openRun(join(folder, 'monday'));
  both = await openRun([join(folder, 'monday'), join(folder, 'tuesday')]);
});
afterAll(async () => {
  database.close();
  both.close();
  await rm(folder, { recursive: true });
});

const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05 };

test('a study’s own metric comes before pass@1; models are cut to the tasks that all share, with counts', async () => {
  const { comparisons, notes } = await compareOver(database, request);
  expect(comparisons.map(titleOf)).toEqual(['loops: asl_unweighted', 'loops: asl', 'loops: pass_at_1 (base)']);
  expect(comparisons.map(({ taskIds: shared }) => shared.length)).toEqual([30, 30, 30]);
  const cut = 'compared on the 30 tasks that all 3 models share, of up to 40; sparse has the fewest, 30';
  expect(notes).toEqual([
    `study loops: ${cut}`,
    'simulated: weak; such a comparison says nothing about any real model',
  ]);
});

test('pairs, verdicts, ranks and letters of pass@1', async () => {
  const { comparisons } = await compareOver(database, { ...request, metric: 'pass_at_1' });
  const [comparison] = comparisons;
  if (comparison === undefined) throw new Error('no comparison');
  // On tasks 10 to 39: strong and sparse pass 28, weak 12; 18 tasks only strong, 2 only weak.
  expect(
    decisiveFirst(comparison).map(({ ahead, behind, verdict, better, worse }) => [
      ahead.name,
      verdict,
      behind.name,
      better,
      worse,
    ]),
  ).toEqual([
    ['strong', 'better', 'weak', 18, 2],
    ['sparse', 'better', 'weak', 18, 2],
    ['strong', 'inconclusive', 'sparse', 0, 0],
  ]);
  // 2 x (1 + 20 + 190) / 2^20, times 3 by Holm.
  expect(decisiveFirst(comparison)[0]?.pHolm).toBeCloseTo((3 * 2 * 211) / 2 ** 20, 12);
  expect(comparison.standings.map(({ model, rank, letters, value }) => [models[model], rank, letters, value])).toEqual([
    ['strong', 1.5, 'a', (100 * 28) / 30],
    ['sparse', 1.5, 'a', (100 * 28) / 30],
    ['weak', 3, 'b', 40],
  ]);
  expect(extentText(comparison)).toBe(
    '3 pairs of 3 models on 30 shared tasks: 2 differ (Holm; Benjamini-Hochberg: 2), 1 INCONCLUSIVE.',
  );
  // Red before: "1 shared tasks".
  expect(extentText({ ...comparison, taskIds: ['1'] })).toMatch(/^3 pairs of 3 models on 1 shared task: 2 differ/);
});

test('a margin that is larger than a metric can differ by is told, only for this metric', async () => {
  const noteOf = async (margin: number): Promise<string | undefined> =>
    (await compareOver(database, { ...request, margin })).notes.find((note) => note.includes('cannot fail'));
  // Three loops; pass@1 has 100 points.
  expect(await noteOf(5)).toMatch(/^a margin of 5 cannot fail for asl\w* \(values differ by at most 3\)/);
  expect(await noteOf(5)).not.toContain('pass_at_1');
  expect(await noteOf(1)).toBeUndefined();
});

// Red before: "Benjamini-Hochberg: 2" and 3 pairs within the margin.
test('a pair within the margin is not counted as differing, by Benjamini-Hochberg either', async () => {
  const { comparisons } = await compareOver(database, { ...request, metric: 'pass_at_1', margin: 1e9 });
  expect(comparisons.map(extentText)).toEqual([
    '3 pairs of 3 models on 30 shared tasks: 0 differ (Holm; Benjamini-Hochberg: 0), 3 within the margin, 0 ' +
      'INCONCLUSIVE.',
  ]);
});

test('two models are compared on all 40 tasks, and the tasks that flip are listed for both ways', async () => {
  const { comparisons, notes } = await compareOver(database, {
    ...request,
    metric: 'pass_at_1',
    models: ['weak', 'strong'],
  });
  expect(comparisons[0]?.taskIds).toHaveLength(40);
  expect(notes).toEqual(['simulated: weak; such a comparison says nothing about any real model']);
  const markdown = partsMarkdown(compareParts(comparisons, notes, null));
  expect(markdown).toContain('Tasks on which strong is better than weak: 28, surest first');
  expect(markdown).toContain('Tasks on which weak is better than strong: 2, surest first');
  expect(markdown).toContain('| MBPP/40 |');
});

test('the same model in two runs: named with its run, without the task that changed', async () => {
  const { comparisons, notes } = await compareOver(both, { ...request, models: ['strong'], metric: 'pass_at_1' });
  expect(comparisons[0]?.models.map(({ name }) => name)).toEqual(['strong (monday)', 'strong (tuesday)']);
  expect(comparisons[0]?.taskIds).toHaveLength(39);
  expect(notes).toEqual(['study loops: 1 new or changed task excluded']);
});

test('two runs without a common model: one sentence says so, and what is compared instead', async () => {
  const apart = await openRun([join(folder, 'tuesday'), join(folder, 'friday')]);
  const { comparisons, notes } = await compareOver(apart, request);
  expect(comparisons[0]?.models.map(({ name }) => name)).toEqual(['strong (tuesday)', 'late (friday)']);
  expect(notes[0]).toBe(
    'no model is in both runs (tuesday: strong; friday: late); compared instead: different models of these runs ' +
      'with each other, on the tasks that they share',
  );
  await expect(compareOver(apart, { ...request, models: ['late'] })).rejects.toThrow('names one model, late: ');
  apart.close();
});

test('cards over two runs rank all models together, on the tasks that all share, and name their runs', async () => {
  const { cards, card_agreement: agreement, sentences } = await cardsOf(both);
  const passes = cards.filter(({ metric }) => metric === 'pass_at_1');
  expect(passes.map((row) => [row['run'], row['model'], row['n_tasks'], row['n_models'], row['n_own_tasks']])).toEqual([
    ['monday', 'sparse', 30, 4, 30],
    ['monday', 'strong', 30, 4, 40],
    ['monday', 'weak', 30, 4, 40],
    ['tuesday', 'strong', 30, 4, 40],
  ]);
  expect(sentences.at(-1)?.sentence).toMatch(
    /^strong \(tuesday\) passes 93\.3 % \(77\.9 – 99\.2\) of 30 tasks, ahead of/,
  );
  expect(agreement[0]).toMatchObject({ run: 'monday, tuesday', n_models: 4, rho: null });
});

test('rows for a saved comparison: every model, pair and task of every metric', async () => {
  const rows = comparisonRows(
    (await compareOver(database, request)).comparisons,
    await comparedCards(database, request),
  );
  expect(Object.entries(rows).map(([name, own]) => [name, own.length])).toEqual([
    ['compared_models', 3 * 3],
    ['compared_pairs', 3 * 3],
    ['compared_tasks', 3 * 3 * 30],
    // pass@1, ASL, cost and time.
    ['compared_cards', 3 * 4],
    ['compared_agreement', 1],
  ]);
});

test('an unknown name, and a single model, are refused with what there is', async () => {
  await expect(compareOver(database, { ...request, models: ['strog'] })).rejects.toThrow('did you mean "strong"?');
  await expect(compareOver(database, { ...request, study: 'lops' })).rejects.toThrow('no study "lops"');
  await expect(compareOver(database, { ...request, models: ['weak'] })).rejects.toThrow('names one model, weak: ');
});
