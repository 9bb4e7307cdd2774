import { folderHome } from '../../activities/storage/home/folder-home.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { aslWithCosts, modelCosts } from '../../analysis/model-costs.ts';
import { solvedCosts } from '../../cli/output/solved-costs.ts';
import { type Row, type TableName, tables } from '../../schemas/tables.ts';
import { writeRun } from './run-fixture.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** The costs, which are the same when models are read one by one. */
async function alike(database: RunDatabase): Promise<Row[]> {
  const rows = await modelCosts(database);
  expect(await modelCosts(database, 0)).toEqual(rows);
  return rows;
}

/** Every column is there, null unless it is given. */
const rowOf = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const cell = (model: string, task: string, more: Row = {}): Row => ({
  ...{
    run: 'r',
    study: 's',
    model,
    benchmark: 'b',
    task_id: task,
    language: 'python',
    variant: 'original',
    setting: 'default',
  },
  ...{ repetition: 0, loop: 1, step: 'generate', sample: 0, ...more },
});
let number = 0;
const call = (model: string, task: string, usd: number | null, more: Row = {}): Row => {
  number += 1;
  return rowOf('calls', {
    ...cell(model, task),
    ...{
      page: `s/${model}/r1p0`,
      call: number,
      call_key: String(number),
      ask: 0,
      n: 1,
      role: 'study',
      answering_model: model,
    },
    ...{ parameters_sent: '{}', status: 'answered', used: true, cost_basis: 'reported', started_at: 0, usd },
    ...{ input_tokens: 10, output_tokens: 5, ...more },
  });
};
const verdict = (model: string, task: string, suite: string, outcome: string, more: Row = {}): Row =>
  rowOf('verdicts', { ...cell(model, task), suite, outcome, simulated: false, ...more });
const sample = (model: string, task: string, more: Row = {}): Row =>
  rowOf('samples', {
    ...cell(model, task),
    ask: 0,
    answering_model: model,
    call_key: task,
    reply: '',
    simulated: false,
    ...more,
  });

async function costs(parts: { calls: Row[]; verdicts: Row[]; samples?: Row[] }) {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-costs-'));
  folders.push(folder);
  const given = { samples: [], ...parts };
  await writeRun(
    folder,
    (['calls', 'verdicts', 'samples'] as const).map((table) => ({ table, page: 's/m/r1p0', rows: given[table] })),
  );
  const database = await openRun(folder);
  try {
    const asl = { ...cell('a', ''), asl: 1, reason: 'as it was' };
    return {
      rows: await alike(database),
      status: await solvedCosts(folderHome(folder)),
      asl: (await aslWithCosts(database, [asl]))[0],
    };
  } finally {
    database.close();
  }
}

test('a solved task costs all calls for the model over the tasks whose first program passes all suites', async () => {
  const { rows, asl, status } = await costs({
    calls: [
      call('a', 't1', 0.01),
      call('a', 't1', 0.02, { role: 'judge', answering_model: 'judge', step: 'judge' }),
      call('a', 't2', 0.03, { status: 'lost', cost_basis: 'estimated', input_tokens: null, output_tokens: null }),
      call('a', 't2', 0.01, { usage_reported: '{}', cached_tokens: 4, reasoning_tokens: 3 }),
      call('a', 't3', 0.02),
    ],
    verdicts: [
      ...[verdict('a', 't1', 'base', 'pass'), verdict('a', 't1', 'plus', 'pass')],
      // A later loop says nothing of the first program.
      verdict('a', 't1', 'base', 'wrong_output', { loop: 2 }),
      ...[verdict('a', 't2', 'base', 'pass'), verdict('a', 't2', 'plus', 'wrong_output')],
      // Two repetitions, one of them passed: half a task.
      ...[verdict('a', 't3', 'base', 'pass'), verdict('a', 't3', 'base', 'exception', { repetition: 1 })],
    ],
    samples: [sample('a', 't1'), sample('a', 't2'), sample('a', 't3', { answering_model: 'judge', simulated: true })],
  });
  expect(rows).toMatchObject([
    {
      ...{ run: 'r', study: 's', model: 'a', calls: 5, answered: 4, answers: 3, input_tokens: 40, output_tokens: 20 },
      ...{
        cached_tokens: 4,
        reasoning_tokens: 3,
        estimated_usd: 0.03,
        unpriced_calls: 0,
        disbelieved_calls: 1,
        solved_tasks: 1.5,
        n: 3,
      },
      ...{ reason: null, simulated: false },
    },
  ]);
  expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(Object.keys(tables.model_costs.columns).toSorted());
  expect(rows[0]?.['usd']).toBeCloseTo(0.09, 12);
  expect(rows[0]?.['usd_per_solved_task']).toBeCloseTo(0.06, 12);
  expect(Number(rows[0]?.['usd_per_solved_task_lo'])).toBeLessThan(0.06);
  expect(Number(rows[0]?.['usd_per_solved_task_hi'])).toBeGreaterThan(0.06);
  expect(status).toMatchObject([
    { study: 's', model: 'a', usd: expect.closeTo(0.06, 12), solved: 1.5, tasks: 3, reason: null },
  ]);
  expect(status[0]?.interval?.lo).toBe(rows[0]?.['usd_per_solved_task_lo']);
  expect(asl).toMatchObject({ asl: 1, reason: 'as it was', usd_per_solved_task: rows[0]?.['usd_per_solved_task'] });
});

test('attacked prompts count for the study, not the score; what excluded programs cost counts for both', async () => {
  const { rows, asl } = await costs({
    calls: [call('a', 't1', 0.01), call('a', 't1', 0.05, { variant: 'attack' }), call('a', 't2', 0.5)],
    verdicts: [
      verdict('a', 't1', 'base', 'pass'),
      verdict('a', 't1', 'base', 'wrong_output', { variant: 'attack' }),
      verdict('a', 't2', 'base', 'not_run'),
    ],
  });
  expect(rows[0]).toMatchObject({ solved_tasks: 0.5, n: 1 });
  expect(rows[0]?.['usd_per_solved_task']).toBeCloseTo(0.56 / 0.5, 12);
  expect(asl?.['usd_per_solved_task']).toBeCloseTo(0.51, 12);
});

// Red before: it was left out, so that a model that fails where it cannot be judged had half the cost of another.
test('a program that fails one suite is not solved, whatever another suite could not judge', async () => {
  const { rows } = await costs({
    calls: [call('a', 't1', 0.01), call('a', 't2', 0.01), call('b', 't1', 0.01), call('b', 't2', 0.01)],
    verdicts: ['a', 'b'].flatMap((model) => [
      verdict(model, 't1', 'base', 'pass'),
      verdict(model, 't1', 'base', 'wrong_output', { sample: 1 }),
      ...(model === 'b' ? [verdict(model, 't1', 'plus', 'missing_dependency', { sample: 1 })] : []),
      verdict(model, 't2', 'base', 'pass'),
    ]),
  });
  expect(rows).toMatchObject([{ solved_tasks: 1.5 }, { solved_tasks: 1.5 }]);
  const columns = ['usd_per_solved_task', 'usd_per_solved_task_lo', 'usd_per_solved_task_hi'];
  const [first, second] = rows.map((row) => columns.map((column) => row[column]));
  expect(second).toEqual(first);
});

test.each([
  ['unknown price', null, 'reported', 'the price of 1 call is unknown'],
  ['simulated', 0, 'free', 'no call was paid for: simulated or replayed'],
])('%s: no cost is given if none is known', async (_, usd, basis, reason) => {
  const { rows, asl } = await costs({
    calls: [call('a', 't1', usd, { cost_basis: basis })],
    verdicts: [verdict('a', 't1', 'base', 'pass')],
  });
  expect(rows[0]).toMatchObject({ solved_tasks: 1, usd_per_solved_task: null, usd_per_solved_task_hi: null, reason });
  expect(asl).toMatchObject({ usd_per_solved_task: null });
});

test('a model that solved nothing, and one that only words prompts', async () => {
  const { rows } = await costs({
    calls: [call('a', 't1', 0.01), call('a', 't2', 0.01), call('writer', 't1', 0.5, { step: 'rewrite' })],
    verdicts: [verdict('a', 't1', 'base', 'wrong_output'), verdict('a', 't2', 'base', 'no_code')],
  });
  expect(rows).toMatchObject([
    { model: 'a', usd_per_solved_task: null, usd_per_solved_task_hi: null, reason: 'no task is solved', n: 2 },
    { model: 'writer', usd: 0.5, solved_tasks: 0, n: 0, reason: 'no task has a program that counts' },
  ]);
  // As in test/domain/metrics/cost-per-solved.test.ts: 6.41 times a tenth of the cost.
  expect(rows[0]?.['usd_per_solved_task_lo']).toBeCloseTo(0.00641, 5);
});

test('answers of other runs are in no count of calls, and their tasks leave the cost per solved task', async () => {
  const copied = { origin: 'earlier', usd: 0, cost_basis: 'free' };
  const { rows, asl } = await costs({
    calls: [
      ...[call('a', 't1', 0.02), call('a', 't2', 0.04), call('a', 't3', 0, copied)],
      ...[call('a', 't4', 0, copied), call('a', 't4', 0.5, { loop: 2 })],
      ...[call('b', 't1', 0, copied), call('b', 't2', 0, copied)],
    ],
    verdicts: [
      ...['t1', 't2', 't3', 't4'].map((task) => verdict('a', task, 'base', 'pass')),
      ...['t1', 't2'].map((task) => verdict('b', task, 'base', 'pass')),
    ],
  });
  expect(rows).toMatchObject([
    { ...{ model: 'a', calls: 3, answered: 3, input_tokens: 30, n: 2, solved_tasks: 2 }, usd_per_solved_task: 0.03 },
    {
      ...{ model: 'b', calls: 0, answered: 0, n: 0, usd_per_solved_task: null },
      reason: 'every task has answers of other runs, which paid for them',
    },
  ]);
  expect(Object.keys(rows[0] as Row)).not.toContain('reused');
  expect(asl?.['usd_per_solved_task']).toBeCloseTo(0.03, 10);
});

// Red before: it could have been solved, as a program that needs a missing package, so its interval went lower.
// Red before: only models with one name were taken to share requests, so that `a` solved its tasks for nothing.
test('a judge that another model of the run paid for leaves its tasks out of the cost per solved task', async () => {
  const judged = { role: 'judge', step: 'judge', answering_model: 'judge' };
  const { rows } = await costs({
    calls: [
      ...[call('a', 't1', 0.01), call('a', 't2', 0.01), call('a', 't2', 0.5, { ...judged, call_key: 'j2' })],
      ...[call('b', 't1', 0.01), call('b', 't1', 0.5, { ...judged, call_key: 'j1' })],
    ],
    verdicts: [
      verdict('a', 't1', 'base', 'pass'),
      verdict('a', 't2', 'base', 'pass'),
      verdict('b', 't1', 'base', 'pass'),
    ],
    samples: [
      ...['a', 'b'].map((model) => sample(model, 't1', { ...judged, call_key: 'j1' })),
      sample('a', 't2', { ...judged, call_key: 'j2' }),
    ],
  });
  expect(rows).toMatchObject([
    { model: 'a', n: 1, solved_tasks: 1, usd_per_solved_task: 0.51 },
    { model: 'b', n: 1, solved_tasks: 1, usd_per_solved_task: 0.51 },
  ]);
});

test('a task whose reference gives no output costs what it cost, and nobody can have solved it', async () => {
  const ends = async (outcome: string, execution_id: string | null) => {
    const { rows } = await costs({
      calls: ['t1', 't2', 't3'].map((task) => call('a', task, 0.01)),
      verdicts: [
        ...['t1', 't2'].map((task) => verdict('a', task, 'base', 'pass')),
        verdict('a', 't3', 'base', outcome, { execution_id }),
      ],
    });
    return ['', '_lo', '_hi'].map((end) => rows[0]?.[`usd_per_solved_task${end}`]);
  };
  const failed = await ends('wrong_output', 'x');
  expect(await ends('not_run', 'x')).toEqual(failed);
  const [, lowest] = await ends('missing_dependency', 'x');
  expect(Number(lowest)).toBeLessThan(Number(failed[1]));
});
