/** Cost and time on cards: of what a model paid for itself, all of it, and as far as it is known. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import { openRun } from '../../../analysis/database.ts';
import { currentModelCosts, modelCosts } from '../../../analysis/model-costs.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { earlierCostMethods } from '../../../domain/metrics/cost-per-solved.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { cardMetrics, cardsOf, cardTables, currentCards } from '../../../studies/cards.ts';
import { writeRun } from '../run-fixture.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Every column is there, null unless it is given. */
const rowOf = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const cell = (model: string, task: string): Row => ({
  ...{ run: 'r', study: 's', model, benchmark: 'b', task_id: task, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
});
let number = 0;
const call = (model: string, task: string, usd: number, more: Row): Row => {
  number += 1;
  return rowOf('calls', {
    ...cell(model, task),
    ...{ page: `s/${model}/r1p0`, call: number, ask: 0, n: 1, role: 'study', answering_model: model },
    ...{ parameters_sent: '{}', status: 'answered', used: true, cost_basis: 'reported', started_at: 0, usd, ...more },
  });
};
const verdict = (model: string, task: string, suite: string, outcome: string): Row =>
  rowOf('verdicts', { ...cell(model, task), suite, outcome, simulated: false });
const sample = (model: string, task: string, more: Row): Row =>
  rowOf('samples', { ...cell(model, task), ask: 0, answering_model: model, reply: '', simulated: false, ...more });

/** All models are known by one name, so that their requests may be equal. */
async function costsOfSpec(models: readonly string[], parts: { calls: Row[]; verdicts: Row[]; samples: Row[] }) {
  const database = await opened(models, parts);
  try {
    return { rows: await modelCosts(database), cards: (await cardTables(database)).cards };
  } finally {
    database.close();
  }
}

/** @param stored tables of a complete run */
async function opened(
  models: readonly string[],
  parts: { calls: Row[]; verdicts: Row[]; samples: Row[] },
  stored: { model_costs: Row[]; cards: Row[] } | null = null,
) {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-paid-'));
  folders.push(folder);
  const spec = parseSpec(specOf(models), 'spec.yaml');
  const own = (['calls', 'verdicts', 'samples'] as const).map((table) => ({
    ...{ table, page: 's/m/r1p0', rows: parts[table] },
  }));
  const derived = (['model_costs', 'cards'] as const).flatMap((table) =>
    stored === null ? [] : [{ table, page: 'run', rows: stored[table] }],
  );
  await writeRun(folder, [...own, ...derived], { runId: 'r', spec, state: stored === null ? 'running' : 'complete' });
  return openRun(folder);
}

const specOf = (models: readonly string[]): string => `
name: r
seed: 7
providers: { oai: { kind: openai, baseUrl: "https://api.example.com/v1" } }
models: [${models.map((id) => `{ id: ${id}, provider: oai, model: same }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: s, kind: pass, benchmark: b, settings: { ks: [1] } }]
`;

/** The answers of a model, each of a call of its own. */
const solvedBy = (model: string, tasks: readonly string[], more: Row = {}) => ({
  calls: tasks.map((task) => call(model, task, 0.02, { latency_ms: 1000, call_key: `${model} ${task}`, ...more })),
  samples: tasks.map((task) => sample(model, task, { call_key: `${model} ${task}` })),
  verdicts: tasks.map((task) => verdict(model, task, 'base', 'pass')),
});

test('tasks whose answers another model of the run paid for leave the cost and the time of a solved task', async () => {
  const [paid, own] = [solvedBy('a', ['t1', 't2', 't3', 't4']), solvedBy('b', ['t3', 't4'])];
  const shared = ['t1', 't2'].map((task) => sample('b', task, { call_key: `a ${task}` }));
  const free = solvedBy('c', []);
  const { rows, cards } = await costsOfSpec(['a', 'b', 'c'], {
    calls: [...paid.calls, ...own.calls],
    samples: [...paid.samples, ...own.samples, ...shared, ...shared.map((row) => ({ ...row, model: 'c' }))],
    verdicts: [
      ...[...paid.verdicts, ...own.verdicts, ...free.verdicts],
      ...['b', 'c'].flatMap((model) => ['t1', 't2'].map((task) => verdict(model, task, 'base', 'pass'))),
    ],
  });
  // Two calls of 2 cents for two of four tasks: 2 cents each, and not 1.
  expect(rows.map((row) => [row['model'], row['n'], row['usd_per_solved_task']])).toEqual([
    ['a', 4, 0.02],
    ['b', 2, 0.02],
  ]);
  const costs = cards.filter((row) => row['trait'] === 'cost');
  expect(
    costs.map((row) => [row['metric'], row['model'], row['estimate'], row['n_tasks'], row['n_own_tasks']]),
  ).toEqual([
    ['seconds_per_task', 'a', 1, 4, 4],
    ['seconds_per_task', 'b', 1, 2, 4],
    ['seconds_per_task', 'c', null, 0, 2],
    ['usd_per_solved_task', 'a', 0.02, 4, 4],
    ['usd_per_solved_task', 'b', 0.02, 2, 4],
    ['usd_per_solved_task', 'c', null, 0, 2],
  ]);
  expect(costs.at(-1)?.['reason']).toBe('every task has answers of another model, which paid for them');
  const [said] = cardSentences(
    cards.filter((row) => row['model'] === 'b'),
    cardMetrics,
  );
  expect(said?.sentence).toContain('per solved task, over the 2 of 4 for which it paid itself');
});

test('an estimated cost is a bound: no model is behind by it; what was not judged is paid, and says so', async () => {
  const tasks = Array.from({ length: 30 }, (_, task) => `t${task + 10}`);
  const [cheap, unknown, none] = [
    solvedBy('a', tasks),
    solvedBy('b', tasks, { usd: 2, cost_basis: 'estimated' }),
    solvedBy('c', tasks),
  ];
  const { rows, cards } = await costsOfSpec(['a', 'b', 'c'], {
    calls: [...cheap.calls, ...unknown.calls, ...none.calls],
    samples: [],
    verdicts: [
      ...[...cheap.verdicts, ...unknown.verdicts],
      ...tasks.map((task) => verdict('c', task, 'base', 'not_run')),
    ],
  });
  const costs = cards.filter((row) => row['metric'] === 'usd_per_solved_task');
  expect(costs).toMatchObject([
    { model: 'a', estimate: expect.closeTo(0.02, 12), letters: 'a', n_worse: 0, reason: null },
    { model: 'b', estimate: expect.closeTo(2, 12), estimate_lo: 0, letters: 'a', n_better: 0 },
    { model: 'c', estimate: null, rank: null, reason: 'no task has a program that counts' },
  ]);
  expect(rows.at(-1)).toMatchObject({ model: 'c', usd: expect.closeTo(0.6, 12), usd_per_solved_task: null });
  const said = new Map(cardSentences(cards, cardMetrics).map(({ model, sentence }) => [model, sentence]));
  expect(said.get('b')).toContain('costs at most $2.00 ($0.00 – $');
  expect(said.get('a')).not.toContain('at most');
});

test('what one model has judged changes no other model’s cost, and the interval has what it allows', async () => {
  const tasks = Array.from({ length: 30 }, (_, task) => `t${task + 10}`);
  const [all, some] = [solvedBy('a', tasks), solvedBy('b', tasks)];
  const dear = all.calls.map((row, task) => (task < 10 ? { ...row, usd: 0.5 } : row));
  const verdicts = (model: string, outcome: string) =>
    tasks.map((task, place) => verdict(model, task, 'base', place < 10 ? outcome : 'pass'));
  const found = async (outcome: string) =>
    (
      await costsOfSpec(['a', 'b'], {
        calls: [...dear, ...some.calls],
        samples: [],
        verdicts: [...verdicts('a', 'wrong_output'), ...verdicts('b', outcome)],
      })
    ).cards.filter((row) => row['metric'] === 'usd_per_solved_task');
  const [judged, open, passed] = [await found('wrong_output'), await found('not_run'), await found('pass')];
  expect(open[0]?.['estimate']).toBeCloseTo((10 * 0.5 + 20 * 0.02) / 20, 12);
  expect(open[0]).toEqual(judged[0]);
  expect(open[1]?.['estimate']).toBeCloseTo(0.6 / 20, 12);
  expect([open[1]?.['estimate_lo'], open[1]?.['estimate_hi']]).toEqual([
    passed[1]?.['estimate_lo'],
    judged[1]?.['estimate_hi'],
  ]);
});

test('only cost is named where only cost was compared, and passing by its suite', async () => {
  const tasks = Array.from({ length: 30 }, (_, task) => `t${task + 10}`);
  const [cheap, dear] = [solvedBy('a', tasks), solvedBy('b', tasks, { usd: 0.5, latency_ms: null })];
  const database = await opened(['a', 'b'], {
    calls: [...cheap.calls, ...dear.calls],
    samples: [],
    verdicts: [
      ...[...cheap.verdicts, ...dear.verdicts],
      ...['a', 'b'].flatMap((model) => tasks.map((task) => verdict(model, task, 'plus', 'pass'))),
    ],
  });
  try {
    const text = partsMarkdown([cardSection(await cardsOf(database), (_run, id) => ({ text: id }))]);
    expect(text).toContain(
      'Of 2 models, a has the best estimate in cost: b is shown to be behind it; no two models are told apart in ' +
        'passing on suite base.',
    );
    expect(text).toContain('pass@1, % (30 tasks, suite base)');
    expect(text).toContain('USD per solved task (30 tasks, all suites)');
    expect(text).toMatch(/b passes .* of 30 tasks on suite base; costs .* per task solved on all suites, behind the/);
    expect(text).not.toContain('in cost and time');
  } finally {
    database.close();
  }
});

// Red before: 17 calls of 1 s in a row made "takes calls of 0.15 s, behind the other model" of equal endpoints.
test('one slow moment of an endpoint puts no model behind another: time is a median, without ranks', async () => {
  const tasks = Array.from({ length: 164 }, (_, task) => `t${task + 100}`);
  const [even, stalled] = [solvedBy('a', tasks, { latency_ms: 50 }), solvedBy('b', tasks, { latency_ms: 50 })];
  const { cards } = await costsOfSpec(['a', 'b'], {
    calls: [
      ...even.calls,
      ...stalled.calls.map((row, task) => (task >= 98 && task < 115 ? { ...row, latency_ms: 1000 } : row)),
    ],
    ...{ samples: [], verdicts: [...even.verdicts, ...stalled.verdicts] },
  });
  const times = cards.filter((row) => row['metric'] === 'seconds_per_task');
  const typical = { estimate: 0.05, estimate_lo: 0.05, estimate_hi: 0.05, n_tasks: 164 };
  expect(times).toMatchObject(
    ['a', 'b'].map((model) => ({ model, ...typical, rank: null, letters: null, n_better: null, n_models: null })),
  );
  const [, said] = cardSentences(cards, cardMetrics);
  expect(said?.sentence).toMatch(/; takes calls of 0\.05 s \(0\.05 – 0\.05\) for a typical task; is not told apart/);
  expect(said?.sentence).toMatch(/from the other model in passing and cost\.$/);
});

test('by Student’s t, costs had this method, which is an earlier one', () => {
  expect(earlierCostMethods).toContain(
    "MOVER-R of the mean cost (Student's t) and the share solved (Gaffke's bounds over tasks), with all that " +
      'unjudged answers and estimated costs allow, over the calls of all answers that the study uses',
  );
});

test('costs that an earlier program stored are computed again, and times by which models had ranks', async () => {
  const paid = solvedBy('a', ['t1', 't2']);
  const parts = { ...paid, verdicts: paid.verdicts.slice(0, 1) };
  const { rows, cards } = await costsOfSpec(['a'], parts);
  const earlier = (row: Row): Row => ({ ...row, method: earlierCostMethods[0] });
  const database = await opened(['a'], parts, {
    model_costs: rows.map((row) => ({ ...earlier(row), usd_per_solved_task: 0.02 })),
    cards: cards.map((row) => (row['trait'] === 'cost' ? { ...earlier(row), estimate: 0.02 } : row)),
  });
  const ranked = await opened(['a'], parts, {
    model_costs: rows,
    cards: cards.map((row) =>
      row['metric'] === 'seconds_per_task' ? { ...row, metric: 'seconds_per_solved_task', rank: 1 } : row,
    ),
  });
  try {
    expect(await currentModelCosts(database)).toMatchObject([{ usd_per_solved_task: 0.04 }]);
    const found = (await currentCards(database)).cards.find((row) => row['metric'] === 'usd_per_solved_task');
    expect(found).toMatchObject({ estimate: 0.04, n_tasks: 2 });
    const timed = (await currentCards(ranked)).cards.filter((row) => row['unit'] === 's');
    expect(timed).toMatchObject([{ metric: 'seconds_per_task', rank: null }]);
  } finally {
    database.close();
    ranked.close();
  }
});
