/** The matrix of each kind of study, on a run whose answers follow a rule: see cards/hand-cards.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { contextOf } from '../../analysis/report/context.ts';
import type { Grid, Part } from '../../analysis/report/part.ts';
import type { HeldExample } from '../../analysis/report/study-report.ts';
import { collectReport } from '../../studies/report.ts';
import { lost, models, writeHandCards } from './cards/hand-cards.ts';

let folder = '';
let grids: Grid[] = [];

/** Of task 3, in study nfr, by model m2, with the second phrasing. */
const held: HeldExample = {
  ...{ id: 'abc', run: 'all', study: 'nfr', benchmark: 'mbpp', language: 'python', setting: 'nfr-integrated' },
  ...{ taskId: 'MBPP/03', model: 'm2', variant: 'reliability-02', repetition: 0 },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-grids-'));
  const database = await openRun(await writeHandCards(folder));
  const report = await collectReport(database);
  const context = contextOf(report, { examples: [held], exampleOf: () => undefined });
  grids = report.studies.flatMap((study) => gridsIn(study.sections(context)));
  database.close();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const gridsIn = (parts: readonly Part[]): Grid[] =>
  parts.flatMap((part) => (part.kind === 'section' ? gridsIn(part.parts) : part.kind === 'grid' ? [part] : []));

function gridOf(study: string): Grid {
  const [grid, ...others] = grids.filter(({ title }) => title === `${study}, mbpp`);
  if (grid === undefined || others.length > 0) throw new Error(`${1 + others.length} grids of ${study}`);
  return grid;
}

/** Cells of one condition as texts: by task, then by model. */
function cellsOf(grid: Grid, name: string): string[][] {
  const place = grid.conditions.findIndex((condition) => condition.name === name);
  const rows = grid.rows.toSorted((a, b) => (a.task < b.task ? -1 : 1));
  return rows.map(({ cells }) => grid.models.map((_, model) => cells[place]?.[model]?.text ?? 'none'));
}

/** A tick where a model passes, by the rule of the run. */
const byRule = (passes: (task: number, model: string) => boolean, grid: Grid): string[][] =>
  Array.from({ length: 40 }, (_, task) => grid.models.map(({ id }) => (passes(task, id) ? '✓' : '0')));

describe.each([
  [
    'words',
    'phrasings',
    { 'Original prompt': 'all', 'Distance 0.2': 'passed', 'v-0.3': 'passed', 'All variants': 'passed' },
  ],
  ['detail', 'levels of detail', { minimal: 'none', 'summary 50': 'passed', maximal: 'all' }],
  ['nfr', 'phrasings', { 'Function-Only': 'passed', 'integrated reliability-01': 'passed' }],
  ['two', 'phrasings', { 'Function-Only': 'passed' }],
  ['chain', 'steps', { 'Step 1': 'passed', 'Step 2': 'passed', 'All steps': 'passed' }],
  ['plain', 'samples', { 'All samples': 'passed' }],
] as const)('%s', (study, varies, expected) => {
  test.each(Object.entries(expected))('%s: %s of the tasks, by model', (condition, which) => {
    const grid = gridOf(study);
    expect([grid.varies, grid.models.map(({ id }) => id).toSorted()]).toEqual([varies, models]);
    const passes = (task: number, model: string) => which === 'all' || (which === 'passed' && task >= lost(model));
    expect(cellsOf(grid, condition)).toEqual(byRule(passes, grid));
  });
});

test('the second phrasing costs two tasks, where both phrasings together pass one of two', () => {
  const grid = gridOf('nfr');
  const all = cellsOf(grid, 'integrated reliability, all');
  expect(cellsOf(grid, 'integrated reliability-02')).toEqual(byRule((task, model) => task >= lost(model) + 2, grid));
  const place = grid.models.findIndex(({ id }) => id === 'm2');
  expect(all.slice(6, 12).map((row) => row[place])).toEqual(['0', '0', '50', '50', '✓', '✓']);
});

test('a level of several prompts shows half of them passed', () => {
  const grid = gridOf('detail');
  const place = grid.models.findIndex(({ id }) => id === 'm1');
  const texts = cellsOf(grid, 'All prompts').map((row) => row[place]);
  expect(texts.slice(2, 6)).toEqual(['33', '33', '67', '67']);
});

test('the hardest tasks come first', () => {
  expect(
    gridOf('plain')
      .rows.map(({ task }) => task)
      .slice(0, 3),
  ).toEqual(['MBPP/00', 'MBPP/01', 'MBPP/02']);
});

test('an example belongs to its own condition and to the sums over it', () => {
  const { examples, conditions } = gridOf('nfr');
  expect(
    examples.map(({ id, task, model, condition }) => [id, task, model, conditions[condition ?? -1]?.name]),
  ).toEqual([
    ['abc', 'MBPP/03', 'm2', 'integrated reliability, all'],
    ['abc', 'MBPP/03', 'm2', 'integrated reliability-02'],
  ]);
  expect(gridOf('two').examples).toEqual([]);
});
