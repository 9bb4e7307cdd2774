/** What a report says of loops, over a run of two models on four tasks that is small enough to count by hand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { evaloopTables } from '../../../../studies/evaloop/results/tables.ts';
import { readRanking } from '../../../../analysis/external-ranking.ts';
import { externalComparisons } from '../../../../studies/evaloop/report/external-comparisons.ts';
import { type LeaderboardRow, leaderboard } from '../../../../studies/evaloop/results/leaderboard.ts';
import { type LoopQuestions, loopQuestions } from '../../../../studies/evaloop/report/questions.ts';
import { collectReport } from '../../../../studies/report.ts';
import { renderMarkdown } from '../../../../analysis/report/text/report-markdown.ts';
import { standings } from '../../../../studies/evaloop/report/standings.ts';
import { recordedDifferences } from '../../../../studies/evaloop/results/recorded-loops.ts';
import { records } from '../../../../analysis/records.ts';
import { type Row, tables } from '../../../../schemas/tables.ts';
import { plainLoops } from '../../../support/loop-settings.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const key = (model: string, task: number, setting = 'default', repetition = 0): Row => ({
  run: 'r',
  study: 'loops',
  model,
  benchmark: 'b',
  task_id: `T/${task}`,
  language: 'python',
  variant: 'original',
  setting,
  repetition,
});
const loop = (place: Row, sustained: number, ended: string | null = null, similarity: number | null = null): Row => ({
  ...place,
  sustained_loops: sustained,
  ended_by: sustained === 3 ? 'survived' : ended === 'no_summary' || ended === 'no_code' ? ended : 'code_failed',
  ended_outcome: ended === 'no_summary' ? null : ended,
  similarity,
  simulated: false,
});

/**
 * a sustains 3, 3, 1, 0 loops and b one of each task; with the other summary prompt a survives all and b none; sampled
 * twice, a loses two loops once.
 */
const loops: Row[] = [
  loop(key('a', 1), 3),
  loop(key('a', 2), 3),
  loop(key('a', 3), 1, 'wrong_output', 0.9),
  loop(key('a', 4), 0, 'exception'),
  loop(key('b', 1), 1, 'no_code', 0.5),
  loop(key('b', 2), 1, 'syntax_error', 0.79),
  loop(key('b', 3), 1, 'exception', 0.8),
  loop(key('b', 4), 1, 'no_summary'),
  ...[1, 2, 3, 4].flatMap((task) => [
    loop(key('a', task, 'summary_simple'), 3),
    loop(key('b', task, 'summary_simple'), 0, 'wrong_output'),
  ]),
  ...[3, 3, 1, 0].flatMap((sustained, index) => [
    loop(key('a', index + 1, 'sampled', 0), sustained, 'wrong_output'),
    loop(key('a', index + 1, 'sampled', 1), index === 0 ? 1 : sustained, 'wrong_output'),
  ]),
];

/** The code of each passing loop, one letter for each program. */
const codes = [
  { task: 1, programs: ['p'.repeat(10), 'q'.repeat(20), 'q'.repeat(20)] },
  { task: 2, programs: ['x'.repeat(10), 'y'.repeat(10), 'z'.repeat(30)] },
  { task: 3, programs: ['w'.repeat(10)] },
];
const samples: Row[] = codes.flatMap(({ task, programs }) =>
  programs.map((solution, index) => ({
    ...key('a', task),
    loop: index + 1,
    step: 'generate',
    sample: 0,
    ask: 0,
    reply: solution,
    reply_status: 'ok',
    solution,
    program_sha256: solution,
  })),
);
const broken = [
  { place: key('a', 4), loop: 1, detail: "NameError: the program defines no 'f'" },
  { place: key('b', 3), loop: 2, detail: 'TypeError: f() takes 1 positional argument but 2 were given' },
];

let folder: string;
let database: RunDatabase;
let board: LeaderboardRow[];
let found: LoopQuestions;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  const page = 'loops/a/r1p0000';
  const verdicts = broken.map(({ place, ...one }, index) => ({
    ...place,
    loop: one.loop,
    step: 'generate',
    sample: 0,
    suite: 'base',
    execution_id: `e${index}`,
    outcome: 'exception',
  }));
  const executions = broken.map(({ detail }, index) => ({
    execution_id: `e${index}`,
    page,
    suite: 'base',
    outcome: 'exception',
    detail,
  }));
  await writeRun(
    folder,
    [
      { table: 'loops', page, rows: loops },
      { table: 'samples', page, rows: samples },
      { table: 'verdicts', page, rows: verdicts },
      { table: 'executions', page, rows: executions },
      {
        table: 'models',
        page: 'run',
        rows: [
          { run: 'r', model: 'a', family: 'F', size_b: 2, training: null, simulated: false },
          { run: 'r', model: 'b', family: 'F', size_b: 70, training: null, simulated: false },
        ],
      },
    ],
    {
      state: 'running',
      spec: {
        name: 'r',
        seed: 7,
        providers: {},
        models: ['a', 'b'].map((id) => ({ id, provider: 'oai', strictVersion: false, study: true })),
        benchmarks: { b: { format: 'evenkeel', path: 'b.jsonl' } },
        studies: [
          {
            name: 'loops',
            kind: 'evaloop',
            benchmark: 'b',
            repetitions: 1,
            settings: { ...plainLoops, maxLoops: 3, judge: 'j', summaryPrompts: ['simple'], sampledRuns: 2 },
          },
        ],
        reuse: [],
      },
    },
  );
  database = await openRun(folder);
  board = await leaderboard(database);
  found = await loopQuestions(database, board, null);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a finished run has the same numbers in its tables, and the report reads them', async () => {
  const [manifest] = database.manifests;
  const stored = await evaloopTables(database, manifest as (typeof database.manifests)[number], board);
  const parts = Object.entries(stored).map(([table, rows]) => ({
    table: table as keyof typeof stored,
    page: 'run',
    rows,
  }));
  for (const { table, rows } of parts) expect(() => encodeTable(tables[table], rows)).not.toThrow();
  const ended = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  await writeRun(ended, parts, { ...manifest, state: 'complete', parts: [] });
  const other = await openRun(ended);
  // Similarities are in table loops, which this copy lacks.
  expect(await loopQuestions(other, board, null)).toEqual({ ...found, similarities: [] });
  // Breaks of loop 1 count too: one of the four tasks that reached it.
  expect(
    await records(other, `select at_risk, ended, hazard, survival from loop_survival where model = 'a' and loop = 1`),
  ).toEqual([{ at_risk: 4, ended: 1, hazard: 0.25, survival: 0.75 }]);
  expect(
    await records(
      other,
      `select statistic, value from loop_rank_changes where statistic in ('reversed_share', 'highest_rise')`,
    ),
  ).toEqual([
    { statistic: 'reversed_share', value: 1 },
    { statistic: 'highest_rise', value: 1 },
  ]);
  expect(await records(other, `select setting, place from loop_places where model = 'b' order by position`)).toEqual([
    { setting: 'default', place: 2 },
    { setting: 'summary_simple', place: 2 },
  ]);
  other.close();
  rmSync(ended, { recursive: true, force: true });
});

test('the Markdown report has a table each of ranks, settings, sampled runs, survival, breaks, drift', async () => {
  const text = renderMarkdown(await collectReport(database));
  expect(text).not.toMatch(/undefined|NaN|\[object/);
  for (const line of [
    '| a | 1 (1 – 2) | ',
    '#### Places of the models under other summary prompts',
    '| a | 1 | 1 | 1.00 |',
    '| Spearman with baseline |  | 1.000 | 1.000 |',
    '| loops | a | 1.750 (',
    '| 1 1 0 2 / 2 3 0 3 | 4 |',
    '#### Log-rank tests between models',
    '| b | 2 | 3 | 1 | 0 | 1 | 2 | 1 | 0.697 (',
    '| a | code | 1.00 | 1.41 (',
    // SciPy: binomtest(1, 2).proportion_ci().
    '| a | 1 | 2 | 50.0 % (1.3 – 98.7) | 2.0 (',
  ])
    expect(text).toContain(line);
});

test('similarities of breaks by twentieths: 0.9 of a; 0.5, 0.79 and 0.8 of b around the threshold', () => {
  const counts = (...bins: readonly number[]) =>
    Array.from({ length: 20 }, (_, bin) => bins.filter((one) => one === bin).length);
  expect(found.similarities).toEqual([
    { run: 'r', study: 'loops', model: 'a', judge: 'j', threshold: 0.8, counts: counts(18) },
    { run: 'r', study: 'loops', model: 'b', judge: 'j', threshold: 0.8, counts: counts(10, 15, 16) },
  ]);
});

test('ranked models’ scores have intervals over tasks: 3 and 4 of 4 by SciPy, four places from 1 to 2', () => {
  const [a, b] = found.ranks[0]?.models ?? [];
  expect(a?.passAt1Interval).toEqual({ lo: expect.closeTo(0.19412, 5), hi: expect.closeTo(0.993691, 5) });
  expect(b?.passAt1Interval).toEqual({ lo: expect.closeTo(0.397635, 5), hi: 1 });
  expect(a?.passPlaceInterval).toEqual({ lo: 1, hi: 2 });
  expect(a?.aslInterval?.lo).toBeLessThan(19 / 12);
  expect(a?.aslInterval?.hi).toBeGreaterThan(19 / 12);
});

test('ranks: by pass@1 b leads 4 to 3 of 4, by ASL a leads 19/12 to 4/12: both change, the pair reverses', () => {
  expect(found.ranks).toHaveLength(1);
  expect(found.ranks[0]).toMatchObject({
    tasks: 4,
    changes: { changedShare: 1, largeShare: 0, meanAbsolute: 1, reversedShare: 1, spearman: expect.closeTo(-1, 12) },
    extremes: [1, -1],
    models: [
      { model: 'a', passAt1: 0.75, aslUnweighted: expect.closeTo(19 / 12, 12), passPlace: 2, aslPlace: 1 },
      {
        model: 'b',
        passAt1: 1,
        aslUnweighted: expect.closeTo(4 / 12, 12),
        passPlace: 1,
        aslPlace: 2,
        aheadOfNext: null,
      },
    ],
    pairs: [{ model: 'a', other: 'b', reversed: true }],
    groups: [
      {
        by: 'family',
        group: 'F',
        models: 2,
        asl: { value: expect.closeTo(23 / 24, 12) },
        drop: { value: 0.625 },
        rise: { value: 0 },
      },
      { by: 'size', group: 'tiny', models: 1, rise: { value: 1 } },
      { by: 'size', group: 'large', models: 1, rise: { value: -1 } },
    ],
  });
  // Squares of 9, 9, 1 and 0 loops against 1 each: with no 9 in the draw (1/16) a is never ahead.
  const ahead = found.ranks[0]?.pairs[0]?.ahead ?? 0;
  expect(Math.abs(ahead - 15 / 16)).toBeLessThan(0.03);
  expect(found.ranks[0]?.models[0]?.aheadOfNext).toBe(ahead);
});

test('other settings: the order is the same, and sampled runs lose a quarter of a loop on average', () => {
  expect(found.reliability).toHaveLength(1);
  expect(found.reliability[0]).toMatchObject({
    over: 'summary prompts',
    settings: ['summary_simple'],
    reliability: { spearman: expect.closeTo(1, 12), kendallW: expect.closeTo(1, 12), leftOut: [] },
  });
  expect(found.sampled.find(({ model }) => model === 'a')).toMatchObject({
    greedy: 1.75,
    sampled: 1.5,
    difference: -0.25,
    greedySustained: [1, 1, 0, 2],
    sampledSustained: [2, 3, 0, 3],
    tasks: 4,
  });
});

test('survival: three of four, then two of them, and b at once in its second loop', () => {
  const [{ curves, tests } = { curves: [], tests: [] }] = found.survival;
  expect(curves.map(({ model, steps }) => [model, steps.map(({ survival }) => survival)])).toEqual([
    ['a', [0.75, 0.5, 0.5]],
    ['b', [1, 0]],
  ]);
  expect(tests).toEqual([expect.objectContaining({ models: ['a', 'b'] })]);
});

test('what broke, and whether it collapsed (from 0.8 on) or drifted', () => {
  expect(found.survival[0]?.breaks).toEqual([
    {
      model: 'a',
      loop: 1,
      format: 0,
      signature: 1,
      semantics: 0,
      collapsed: 0,
      drifted: 0,
      unscored: 0,
      similarity: null,
    },
    {
      model: 'a',
      loop: 2,
      format: 0,
      signature: 0,
      semantics: 1,
      collapsed: 1,
      drifted: 0,
      unscored: 0,
      similarity: expect.objectContaining({ value: 0.9 }),
    },
    {
      model: 'b',
      loop: 2,
      format: 3,
      signature: 1,
      semantics: 0,
      collapsed: 1,
      drifted: 2,
      unscored: 1,
      similarity: expect.objectContaining({ value: expect.closeTo((0.5 + 0.79 + 0.8) / 3, 12) }),
    },
  ]);
});

test('lengths relative to loop 1, and the one task whose code stops changing', () => {
  expect(found.survival[0]?.drifts.map(({ loop: at, cells, code }) => [at, cells, code])).toEqual([
    [1, 3, 1],
    [2, 2, 1.5],
    [3, 2, 2.5],
  ]);
  // Of lengths 1 and 2, then 2 and 3 times the first: geometric means sqrt(2) and sqrt(6). SciPy: binomtest(1,
  // 2).proportion_ci().
  expect(found.survival[0]?.drifts.map(({ tasks, codeFactor }) => [tasks, codeFactor?.value])).toEqual([
    [3, 1],
    [2, expect.closeTo(Math.SQRT2, 12)],
    [2, expect.closeTo(Math.sqrt(6), 12)],
  ]);
  expect(found.survival[0]?.fixpoints).toMatchObject([
    {
      model: 'a',
      cells: 2,
      fixed: 1,
      share: { value: 0.5, interval: { lo: expect.closeTo(0.0125791, 6), hi: expect.closeTo(0.9874209, 6) } },
      from: { value: 2 },
    },
  ]);
});

test('among the published: 7.4 is below six models; a run on other tasks has no place there, with the reason', () => {
  const row = { ...(board[0] as LeaderboardRow), maxLoops: 10, asl: { value: 7.4, interval: { lo: 7, hi: 7.7 } } };
  expect(standings([row], () => 'mbpp-plus')).toEqual([
    expect.objectContaining({ place: 7, interval: { lo: 2, hi: 20 }, among: 96, judged: true, reason: null }),
  ]);
  expect(standings([{ ...row, maxLoops: 3 }], () => 'mbpp-plus')[0]).toMatchObject({
    place: null,
    reason: expect.stringContaining('10 loops, not 3'),
  });
  expect(found.standings.every(({ place, reason }) => place === null && reason?.includes('MBPP'))).toBe(true);
});

test('another ranking is compared over the models in both, and a bad file is refused', async () => {
  const write = (value: unknown): string => {
    const file = join(folder, 'ranking.json');
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const models = [
    { model: 'b', place: 1 },
    { model: 'a', place: 2 },
    { model: 'c', place: 3 },
  ];
  const ranking = await readRanking(write({ name: 'Other', models }));
  expect(externalComparisons(board, ranking)).toMatchObject([
    {
      name: 'Other',
      comparison: {
        onlySecond: ['c'],
        models: [{ model: 'a', nearness: 'within_2' }, { model: 'b' }],
        spearman: { statistic: expect.closeTo(-1, 12) },
      },
      fewerTasks: [],
    },
  ]);
  // Red before: `b` was compared by its ASL of other tasks.
  const ofFewer = board.map((row) => (row.model === 'b' ? { ...row, n: row.n - 1 } : row));
  expect(externalComparisons(ofFewer, ranking)).toMatchObject([
    { comparison: { onlySecond: ['c'], models: [{ model: 'a' }] }, fewerTasks: ['b'] },
  ]);
  await expect(readRanking(write({ name: 'Other', models: [...models, { model: 'd', score: 2 }] }))).rejects.toThrow(
    'mixes places and scores',
  );
  await expect(readRanking(write({ name: 'Other', models: [...models, { model: 'a', place: 4 }] }))).rejects.toThrow(
    'names a model twice',
  );
  await expect(readRanking(join(folder, 'none.json'))).rejects.toThrow('no such file');
});

test('a recording compared with a run that replayed it: which tasks differ, and why', async () => {
  const recorded = [
    { taskId: 'T/1', sustained: 1, lines: [] },
    { taskId: 'T/2', sustained: 3, lines: [] },
    { taskId: 'T/4', sustained: 2, lines: [] },
    { taskId: 'T/9', sustained: 2, lines: [] },
  ];
  expect(await recordedDifferences(database, 'a', recorded)).toEqual({
    compared: 3,
    differences: [
      { study: 'loops', taskId: 'T/1', recorded: 1, here: 3, reason: 'the code of loop 2 passes every suite here' },
      {
        study: 'loops',
        taskId: 'T/4',
        recorded: 2,
        here: 0,
        reason: "the code of loop 1 results in exception on suite base, NameError: the program defines no 'f'",
      },
    ],
  });
});
