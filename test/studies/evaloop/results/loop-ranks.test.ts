/** Places by ASL where loops could not be judged, counted by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { renderMarkdown } from '../../../../analysis/report/text/report-markdown.ts';
import { type Row, tables } from '../../../../schemas/tables.ts';
import { leaderboard } from '../../../../studies/evaloop/results/leaderboard.ts';
import { loopQuestions } from '../../../../studies/evaloop/report/questions.ts';
import { type EvaloopTables, evaloopTables } from '../../../../studies/evaloop/results/tables.ts';
import { collectReport } from '../../../../studies/report.ts';
import { plainLoops } from '../../../support/loop-settings.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

type Course = readonly [sustained: number, endedBy: string, outcome: string | null];
const survived: Course = [3, 'survived', null];
const failed: Course = [0, 'code_failed', 'wrong_output'];
/** Of one task nobody knows anything, since its reference gives no output. */
const withoutReference: Course = [0, 'excluded', 'not_run'];

/**
 * Of 100 tasks `first` sustains all loops of 60, `second` of 40 and `third` of 20. One loop of `second` could not be
 * judged. `hiding` fails at once on 50 tasks; of the others only its first loop is known.
 */
const courses: Readonly<Record<string, (task: number) => Course>> = {
  first: (task) => (task < 60 ? survived : failed),
  second: (task) => (task < 40 ? survived : task < 99 ? failed : [0, 'excluded', 'unencodable']),
  third: (task) => (task < 20 ? survived : failed),
  'hiding too': (task) => (task < 50 ? [1, 'excluded', 'missing_dependency'] : failed),
  hiding: (task) => (task < 50 ? [1, 'excluded', 'missing_dependency'] : failed),
};

const rowOf = (model: string, task: number): Row => {
  const [sustained_loops, ended_by, ended_outcome] =
    task === 100 ? withoutReference : (courses[model]?.(task) ?? failed);
  return {
    ...{ run: 'r', study: 'loops', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false, similarity: null },
    ...{ sustained_loops, ended_by, ended_outcome },
  };
};

const opened: { readonly folder: string; readonly database: RunDatabase }[] = [];
afterEach(async () => {
  for (const { folder, database } of opened.splice(0)) {
    database.close();
    await rm(folder, { recursive: true });
  }
});

async function tablesOf(models: readonly string[]): Promise<{ found: EvaloopTables; database: RunDatabase }> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-ranks-'));
  const loops = models.flatMap((model) => Array.from({ length: 101 }, (_, task) => rowOf(model, task)));
  const facts = models.map((model) => ({ run: 'r', model, family: 'F', size_b: null, training: null }));
  const manifest = await writeRun(
    folder,
    [
      { table: 'loops', page: 'loops/m/r1p0000', rows: loops },
      { table: 'models', page: 'run', rows: facts },
    ],
    {
      ...{ runId: 'r', state: 'running' },
      spec: {
        ...{ name: 'r', seed: 7, providers: {}, reuse: [] },
        models: models.map((id) => ({ id, provider: 'oai', strictVersion: false, study: true })),
        benchmarks: { mbpp: { format: 'evenkeel', path: 'b.jsonl' } },
        studies: [
          {
            ...{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', repetitions: 1 },
            settings: { ...plainLoops, maxLoops: 3 },
          },
        ],
      },
    },
  );
  const database = await openRun(folder);
  opened.push({ folder, database });
  return { found: await evaloopTables(database, manifest, await leaderboard(database)), database };
}

const columns = (rows: readonly Row[], ...names: readonly string[]): Row[string][][] =>
  rows.map((row) => names.map((name) => row[name] ?? null));

const hidden = '50 of 100 cells could not be judged, more than 1 %';

// Red before: 49 tasks counted, of which `first` passed 10, and the three others shared the last places.
test('a model with too many loops that could not be judged has no place, and takes no task from others', async () => {
  const { found } = await tablesOf(['first', 'hiding', 'second', 'third']);
  const { loop_ranks: ranks, loop_pairs: pairs, loop_groups: groups } = found;
  expect(columns(ranks, 'model', 'asl_place', 'pass_place', 'n_tasks', 'n_unjudged', 'reason')).toEqual([
    ['first', 1, 1, 99, 0, null],
    ['second', 2, 2, 99, 1, null],
    ['third', 3, 3, 99, 0, null],
    ['hiding', null, null, 99, 50, hidden],
  ]);
  expect(columns(ranks, 'pass_at_1', 'asl_unweighted', 'next_model').at(-1)).toEqual([null, null, null]);
  expect(columns(ranks, 'pass_at_1', 'asl_unweighted', 'next_model')[0]).toEqual([
    expect.closeTo(60 / 99, 12),
    expect.closeTo((3 * 60) / 99, 12),
    'second',
  ]);
  expect(columns(pairs, 'model', 'other_model', 'n_tasks')).toEqual([
    ['first', 'second', 99],
    ['first', 'third', 99],
    ['second', 'third', 99],
  ]);
  expect(columns(groups, 'grouped_by', 'member', 'n_models', 'n_tasks')).toEqual([['family', 'F', 3, 99]]);
  for (const name of ['loop_ranks', 'loop_pairs', 'loop_groups'] as const)
    expect(() => encodeTable(tables[name], found[name])).not.toThrow();
});

// 20 of 99 tasks part two neighbours: t = 5, so that all three are apart; the fourth may be ahead of any of them.
test('intervals of places leave room for a model without a place', async () => {
  const { found } = await tablesOf(['first', 'hiding', 'second', 'third']);
  const ends = ['asl_place_lo', 'asl_place_hi', 'pass_place_lo', 'pass_place_hi'] as const;
  expect(columns(found.loop_ranks, ...ends)).toEqual([
    [1, 2, 1, 2],
    [2, 3, 2, 3],
    [3, 4, 3, 4],
    [null, null, null, null],
  ]);
});

test('with one loop in a hundred that could not be judged all have their places', async () => {
  const { found, database } = await tablesOf(['first', 'second', 'third']);
  expect(columns(found.loop_ranks, 'model', 'asl_place_lo', 'asl_place_hi')).toEqual([
    ['first', 1, 1],
    ['second', 2, 2],
    ['third', 3, 3],
  ]);
  expect(renderMarkdown(await collectReport(database))).not.toContain('with a place');
});

test('the report names the models without a place, and says why', async () => {
  const { database } = await tablesOf(['first', 'hiding', 'second', 'third']);
  const text = renderMarkdown(await collectReport(database));
  expect(text).not.toMatch(/undefined|NaN|\[object/);
  expect(text).toContain(`No place: hiding (${hidden}).`);
  expect(text).toContain('99 tasks that count for every model with a place');
  expect(text).toMatch(/\| second \| 2 \(2 – 3\) \|.*\| 1 \|/);
  expect(text).toMatch(/\| hiding \| – \| – \| – \| – \| – \| 50 \|/);
  const [ranks] = (await loopQuestions(database, await leaderboard(database), null)).ranks;
  expect(ranks?.unranked).toEqual([{ model: 'hiding', unjudged: 50, reason: hidden }]);
});

test.each([
  [
    'one',
    ['first', 'hiding'],
    [
      ['first', 1, 1, 2],
      ['hiding', null, null, null],
    ],
  ],
  [
    'none',
    ['hiding', 'hiding too'],
    [
      ['hiding', null, null, null],
      ['hiding too', null, null, null],
    ],
  ],
] as const)('where %s of the models can be ranked, nothing is said of an order', async (_, models, expected) => {
  const { found, database } = await tablesOf(models);
  expect(columns(found.loop_ranks, 'model', 'asl_place', 'asl_place_lo', 'asl_place_hi')).toEqual(expected);
  expect(found.loop_pairs).toEqual([]);
  const text = renderMarkdown(await collectReport(database));
  expect(text).toContain(`hiding (${hidden})`);
  expect(text).not.toContain('Rankings by ASL and by pass@1 compared');
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});
