/** Costs and times of a study are those of its answers, and rank models only where all are asked as much. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { mainMetrics } from '../../../analysis/card/main-entries.ts';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { modelCosts } from '../../../analysis/model-costs.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { cardMetrics, cardTables, currentCards } from '../../../studies/cards.ts';
import { compareOver } from '../../../studies/compare.ts';
import { writeRun } from '../run-fixture.ts';

const folders: string[] = [];
const open: RunDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) database.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Every column is there, null unless it is given. */
const rowOf = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const tasks = Array.from({ length: 30 }, (_, task) => `t${task + 10}`);
const cell = (run: string, study: string, model: string, task: string): Row => ({
  ...{ run, study, model, benchmark: 'b', task_id: task, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
});
let number = 0;
/** An answered call of 2 cents and a second. */
const call = (own: Row, key: string, more: Row = {}): Row => {
  number += 1;
  return rowOf('calls', {
    ...{ ...own, page: 's/m/r1p0', call: number, call_key: key, ask: 0, n: 1, role: 'study', answering_model: 'm' },
    ...{ parameters_sent: '{}', status: 'answered', used: true, cost_basis: 'reported', started_at: 0, usd: 0.02 },
    ...{ latency_ms: 1000, ...more },
  });
};
const answer = (own: Row, key: string): Row =>
  rowOf('samples', { ...own, call_key: key, ask: 0, answering_model: 'm', reply: '', simulated: false });
const verdict = (own: Row): Row => rowOf('verdicts', { ...own, suite: 'base', outcome: 'pass', simulated: false });

interface Given {
  readonly studies: string;
  readonly calls: readonly Row[];
  readonly samples?: readonly Row[];
  readonly verdicts: readonly Row[];
  readonly cards?: readonly Row[];
}

/** @param runs by id */
async function opened(runs: Readonly<Record<string, Given>>): Promise<RunDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-study-costs-'));
  folders.push(folder);
  for (const [runId, { studies, calls, samples = [], verdicts, cards = [] }] of Object.entries(runs)) {
    const spec = parseSpec(
      `
name: r
seed: 7
providers: { oai: { kind: openai, baseUrl: "https://api.example.com/v1" } }
models: [{ id: a, provider: oai }, { id: b, provider: oai }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [${studies}]
`,
      'spec.yaml',
    );
    const known = tasks.map((task_id) => ({ run: runId, benchmark: 'b', task_id, record_sha256: 'a' }));
    const all = { calls, samples, verdicts, cards, tasks: known };
    const parts = (['calls', 'samples', 'verdicts', 'cards', 'tasks'] as const).map((table) => ({
      ...{ table, page: 's/m/r1p0', rows: all[table] },
    }));
    await writeRun(join(folder, runId), parts, { runId, spec, state: cards.length > 0 ? 'complete' : 'running' });
  }
  const database = await openRun(Object.keys(runs).map((runId) => join(folder, runId)));
  open.push(database);
  return database;
}

const pass = (name: string, settings = 'ks: [1]'): string =>
  `{ name: ${name}, kind: pass, benchmark: b, settings: { ${settings} } }`;
const costsOf = (cards: readonly Row[], study: string, metric = 'usd_per_solved_task') =>
  cards
    .filter((row) => row['study'] === study && row['metric'] === metric)
    .map((row) => [row['model'], row['estimate'], row['n_tasks'], row['letters']]);

/**
 * Study `early` has asked all of b's questions that `late` has, a third as single ones, the others as draws 1 and 2
 * of calls for three answers. Model a has asked `late`'s own ones.
 */
function shared(): Given {
  const early = tasks.flatMap((task, place) => {
    const own = cell('r', 'early', 'b', task);
    if (place < 10) return { call: call(own, `${task} 0`), draws: [own] };
    const draws = [0, 1, 2].map((sample) => ({ ...own, sample }));
    return { call: call(own, `${task} 0`, { n: 3, usd: 0.06, latency_ms: 3000 }), draws };
  });
  const keyOf = (own: Row): string => `${String(own['task_id'])} ${String(own['sample'])}`;
  const draws = early.flatMap((one) => one.draws);
  const late = tasks.map((task) => cell('r', 'late', 'b', task));
  const others = tasks.map((task) => cell('r', 'late', 'a', task));
  return {
    studies: `${pass('early')}, ${pass('late')}`,
    calls: [...early.map((one) => one.call), ...others.map((own) => call(own, `a ${String(own['task_id'])}`))],
    samples: [
      ...draws.map((own) => answer(own, keyOf(own))),
      ...late.map((own, place) => answer(own, place < 10 ? keyOf(own) : `${String(own['task_id'])} 2`)),
      ...others.map((own) => answer(own, `a ${String(own['task_id'])}`)),
    ],
    verdicts: [...draws, ...late, ...others].map(verdict),
  };
}

// Red before: b had no cost and no time in study late, or the rest of it, by which it was "ahead" of an equal model.
test('answers that another study asked first cost each study the same, also single draws of a call', async () => {
  const database = await opened({ r: shared() });
  const { cards } = await cardTables(database);
  const equal = (value: number) => ['a', 'b'].map((model) => [model, expect.closeTo(value, 12), 30]);
  expect(costsOf(cards, 'late').map((row) => row.slice(0, 3))).toEqual(equal(0.02));
  expect(costsOf(cards, 'late').map((row) => row[3])).toEqual(['a', 'a']);
  expect(costsOf(cards, 'late', 'seconds_per_task').map((row) => row.slice(0, 3))).toEqual(equal(1));
  // What is spent is still counted once: 10 * 0.02 + 20 * 0.06, for 10 + 20 tasks; and 30 * 0.02.
  const totals = (await modelCosts(database)).map((row) => [row['study'], row['model'], row['usd'], row['n']]);
  expect(totals).toEqual([
    ['early', 'b', expect.closeTo(1.4, 12), 30],
    ['late', 'a', expect.closeTo(0.6, 12), 30],
  ]);
});

test('a study that asked a part itself has the rest from the other; attempts at an answer count for both', async () => {
  const given = shared();
  const first = given.samples?.find((row) => row['study'] === 'late') as Row;
  const { call_key: key, task_id: task } = first as { call_key: string; task_id: string };
  const own = call(cell('r', 'late', 'b', task), `own ${task}`, { usd: 0.05 });
  const lost = call(cell('r', 'early', 'b', 't11'), 't11 0', { status: 'lost', used: false, usd: 0.3 });
  const samples = (given.samples ?? []).map((row) => (row === first ? { ...row, call_key: `own ${task}` } : row));
  const database = await opened({ r: { ...given, samples, calls: [...given.calls, own, lost] } });
  expect([key, task]).toEqual(['t10 0', 't10']);
  const [, late] = costsOf((await cardTables(database)).cards, 'late');
  expect(late).toEqual(['b', expect.closeTo((29 * 0.02 + 0.05 + 0.3) / 30, 12), 30, 'a']);
  // Its own calls are of one task.
  const row = (await modelCosts(database)).find((one) => one['study'] === 'late' && one['model'] === 'b');
  expect(row).toMatchObject({ usd: 0.05, n: 30, usd_per_solved_task: expect.closeTo(0.93 / 30, 12) });
});

// Red before: each of the tasks with this prompt was charged the whole call.
test('a call for several tasks with the same prompt is one call for each study', async () => {
  const [early, late] = ['early', 'late'].map((study) => tasks.map((task) => cell('r', study, 'b', task))) as [
    Row[],
    Row[],
  ];
  const keyOf = (place: number): string => (place < 3 ? 'same' : `${place}`);
  const database = await opened({
    r: {
      studies: `${pass('early')}, ${pass('late')}`,
      calls: early.flatMap((own, place) => (place === 0 || place === 2 ? [] : [call(own, keyOf(place))])),
      samples: [early, late].flatMap((cells) => cells.map((own, place) => answer(own, keyOf(place)))),
      verdicts: [...early, ...late].map(verdict),
    },
  });
  const { cards } = await cardTables(database);
  const found = ['early', 'late'].map((study) => [
    costsOf(cards, study)[0]?.[1],
    costsOf(cards, study, 'seconds_per_task')[0]?.[1],
  ]);
  // Two tasks cost nothing, and took no time of their own.
  expect(found).toEqual([0, 1].map(() => [expect.closeTo((28 * 0.02) / 30, 12), 1]));
});

test('costs of answers that earlier programs counted once are computed again', async () => {
  const given = shared();
  const { cards } = await cardTables(await opened({ r: given }));
  const method = (row: Row): string => String(row['method']).split(', over the calls of all')[0] as string;
  const earlier = cards.map((row) =>
    row['trait'] === 'cost' && row['study'] === 'late'
      ? { ...row, method: method(row), estimate: row['metric'] === 'seconds_per_task' ? 9 : null }
      : row,
  );
  const found = await currentCards(await opened({ r: { ...given, cards: earlier } }));
  expect(costsOf(found.cards, 'late', 'seconds_per_task').map((row) => row[1])).toEqual([1, 1]);
});

/** Both models pass every task; a's calls are ten times as dear. */
function dear(run: string, studies: string, times = 10): Given {
  const own = ['a', 'b'].flatMap((model) => tasks.map((task) => cell(run, 's', model, task)));
  return {
    studies,
    calls: own.map((one, place) => call(one, `${run} ${place}`, { usd: one['model'] === 'a' ? 0.02 * times : 0.02 })),
    verdicts: own.map(verdict),
  };
}

const ranksOf = async (database: RunDatabase) =>
  (await cardTables(database)).cards
    .filter((row) => row['metric'] === 'usd_per_solved_task')
    .map((row) => [row['run'], row['model'], row['estimate'], row['rank'], row['n_worse']]);
const near = (value: number) => expect.closeTo(value, 12);

async function notesOf(database: RunDatabase, more: { metric?: 'pass_at_1' } = {}): Promise<string[]> {
  const { notes } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05, ...more });
  return notes.filter((note) => note.includes('cost'));
}

// Red before: a model that broke early was "ahead" in cost, and one with a dear judge "behind".
test('no ranks by cost where the answers decide how many questions there are', async () => {
  const values = [
    ['r', 'a', near(0.2), null, null],
    ['r', 'b', near(0.02), null, null],
  ];
  const loops = await opened({ r: dear('r', '{ name: s, kind: evaloop, benchmark: b, settings: { judge: none } }') });
  expect(await ranksOf(loops)).toEqual(values);
  expect(await notesOf(loops)).toEqual([
    'study s: models have no ranks by cost (usd_per_solved_task): how many questions a task takes follows from the ' +
      'answers, so that early failures cost less',
  ]);
  const chain = '{ name: s, kind: evaloop-translation, benchmark: b, settings: { through: [java] } }';
  expect(await ranksOf(await opened({ r: dear('r', chain) }))).toEqual(values);
});

// Red before: "is shown to be behind it" in cost, of the same model with eight answers for each task.
test('no ranks by cost between runs with other settings or repetitions; with the same there are', async () => {
  const small = dear('r1', pass('s', 'samples: 1, ks: [1]'));
  const large = await opened({ r1: small, r8: dear('r8', pass('s', 'samples: 8, ks: [1]')) });
  const unranked = ['r1', 'r8'].flatMap((run) => [
    [run, 'a', near(0.2), null, null],
    [run, 'b', near(0.02), null, null],
  ]);
  expect(await ranksOf(large)).toEqual(unranked);
  const note =
    'study s: models have no ranks by cost (usd_per_solved_task): it depends on settings that differ (samples 1 in ' +
    'run r1; samples 8 in run r8)';
  expect(await notesOf(large)).toEqual([note]);
  expect(await notesOf(large, { metric: 'pass_at_1' })).toEqual([]);
  const repeated = `{ name: s, kind: pass, benchmark: b, repetitions: 3, settings: { ks: [1], samples: 1 } }`;
  expect(await ranksOf(await opened({ r1: small, r8: dear('r8', repeated) }))).toEqual(unranked);
  const alike = await opened({ r1: small, r8: dear('r8', pass('s', 'ks: [1], samples: 1')) });
  expect((await ranksOf(alike)).map((row) => row.slice(3))).toEqual([
    [3.5, 0],
    [1.5, 2],
    [3.5, 0],
    [1.5, 2],
  ]);
  expect(await notesOf(alike)).toEqual([]);
});

// Red before: the study that comes first by its name, whose costs have no ranks.
test('a board shows the cost of the study that ranks models by it, where several have as much', async () => {
  const loops = '{ name: loops, kind: evaloop, benchmark: b, settings: { judge: none } }';
  const [own, other] = [dear('r', `${loops}, ${pass('s')}`), dear('r', '')];
  const renamed = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row, study: 'loops' }));
  const database = await opened({
    r: {
      ...own,
      calls: [...own.calls, ...renamed(other.calls)],
      verdicts: [...own.verdicts, ...renamed(other.verdicts)],
    },
  });
  const costs = mainMetrics((await cardTables(database)).cards, cardMetrics).filter(({ metric }) => metric.unit === '');
  expect(costs.map(({ metric, study }) => [metric.name, study])).toContainEqual(['usd_per_solved_task', 's']);
});
