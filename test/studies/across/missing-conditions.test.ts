/** A requirement that some models have no answers with: a note says so, and the others are compared. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { tables, type Row, type TableName } from '../../../schemas/tables.ts';
import { compareOver, type CompareRequest } from '../../../studies/compare.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const models = ['a', 'b', 'c'];
const tasks = Array.from({ length: 8 }, (_, index) => `MBPP/${index}`);
const spec = parseSpec(
  `
name: lacks
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: nfr
    kind: robunfr-prompts
    benchmark: mbpp
    settings: { dimensions: [reliability, readability] }
`,
  'lacks.yaml',
);

/** Without a requirement all have answers; for reliability a and c, the second phrasing only c; readability: only a. */
const asked: readonly (readonly [string, string, readonly string[]])[] = [
  ['function-only', 'original', models],
  ['reliability', 'reliability-01', ['a', 'c']],
  ['reliability', 'reliability-02', ['c']],
  ['readability', 'readability-01', ['a']],
];

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

/** With a requirement, a passes nothing and c everything. */
function rowsOf(table: 'verdicts' | 'nfr_scores'): Row[] {
  return asked.flatMap(([dimension, variant, own]) =>
    own.flatMap((model) =>
      tasks.map((task_id) => {
        const passed = dimension === 'function-only' || model === 'c';
        const setting = dimension === 'function-only' ? 'function-only' : 'nfr-integrated';
        const cell = {
          ...{ run: 'lacks', study: 'nfr', model, benchmark: 'mbpp', task_id, language: 'python', variant, setting },
          ...{ repetition: 0, simulated: false, step: 'generate' },
        };
        return table === 'verdicts'
          ? filled(table, { ...cell, loop: 1, sample: 0, suite: 'base', outcome: passed ? 'pass' : 'wrong_output' })
          : filled(table, {
              ...{ ...cell, dimension, phrasing: dimension === 'function-only' ? null : variant, passed },
              failure: passed ? null : 'wrong_output',
            });
      }),
    ),
  );
}

let folder = '';
let database: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-missing-'));
  const page = 'nfr/m/r1p0000';
  await writeRun(
    join(folder, 'lacks'),
    [
      { table: 'verdicts', page, rows: rowsOf('verdicts') },
      { table: 'nfr_scores', page, rows: rowsOf('nfr_scores') },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'lacks', model, simulated: false })) },
    ],
    { runId: 'lacks', spec },
  );
  database = await openRun(join(folder, 'lacks'));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

async function shown(more: Partial<CompareRequest> = {}) {
  const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05, metric: 'pass_at_1', ...more };
  const { comparisons, notes } = await compareOver(database, request);
  return {
    told: comparisons.map(({ subject, variant, models: own, pairs }) => [
      [subject.dimension, ...(variant === null ? [] : [variant])].join(' '),
      own.map(({ name }) => name).join(),
      ...pairs.map(({ verdict }) => verdict),
    ]),
    notes: notes.filter((note) => note.includes('no value')),
  };
}

// Red before: reliability was missing altogether, and no note said so.
test('models that have the requirement are compared without the one that lacks it, and a note names it', async () => {
  const { told, notes } = await shown();
  expect(told).toEqual([
    ['function-only', 'a,b,c', 'inconclusive', 'inconclusive', 'inconclusive'],
    // Eight of eight tasks in one direction: p is 2 / 2^8.
    ['reliability', 'a,c', 'worse'],
  ]);
  expect(notes).toEqual([
    'study nfr (readability, nfr-integrated): b, c have no value of any task: nothing is compared there',
    'study nfr (reliability, nfr-integrated): b has no value of any task: left out',
  ]);
});

// Red before: no note.
test('of two models, the one that lacks a requirement is named', async () => {
  const { told, notes } = await shown({ models: ['b', 'c'] });
  expect(told).toEqual([['function-only', 'b,c', 'inconclusive']]);
  expect(notes).toEqual([
    'study nfr (reliability, nfr-integrated): b has no value of any task: nothing is compared there',
  ]);
});

// Red before: no note.
test('a variant that some models lack is named with its requirement', async () => {
  const { told, notes } = await shown({ models: ['a', 'c'], byVariant: true });
  expect(told).toEqual([
    ['function-only repetition 1', 'a,c', 'inconclusive'],
    ['reliability reliability-01', 'a,c', 'worse'],
  ]);
  const none = 'has no value of any task: nothing is compared there';
  expect(notes).toEqual([
    `study nfr (readability, nfr-integrated, variant readability-01): c ${none}`,
    `study nfr (reliability, nfr-integrated, variant reliability-02): a ${none}`,
  ]);
});
