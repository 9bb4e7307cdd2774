/** The curve of a study at two efforts, over hand-made rows; Clopper and Pearson's interval is from SciPy. */
import { expect, test } from 'vitest';
import { effortPoints } from '../../../analysis/report/efforts/effort-curve.ts';
import { openRun } from '../../../analysis/database.ts';
import { modelCosts } from '../../../analysis/model-costs.ts';
import { effortSection } from '../../../analysis/report/efforts/effort-section.ts';
import { isTable } from '../../../analysis/report/part.ts';
import { contextOf } from '../../../analysis/report/context.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../run-fixture.ts';

const rowOf = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});
const at = (study: string, task: string): Row => ({
  ...{ run: 'r', study, model: 'a', benchmark: 'b', task_id: task, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
});
let calls = 0;
const call = (study: string, task: string, outputTokens: number, reasoningTokens: number): Row => {
  calls += 1;
  return rowOf('calls', {
    ...at(study, task),
    ...{ page: 'p', call: calls, call_key: String(calls), ask: 0, n: 1, role: 'study', answering_model: 'a' },
    ...{ parameters_sent: '{}', status: 'answered', used: true, cost_basis: 'reported', started_at: 0 },
    ...{ usd: outputTokens / 1000, input_tokens: 10, output_tokens: outputTokens, reasoning_tokens: reasoningTokens },
  });
};
const answer = (study: string, task: string, outcome: string): [sample: Row, verdict: Row] => [
  rowOf('samples', { ...at(study, task), ask: 0, answering_model: 'a', call_key: task, reply: '', simulated: false }),
  rowOf('verdicts', {
    ...at(study, task),
    ...{ suite: 'base', outcome, execution_id: outcome === 'not_run' ? 'e' : null, simulated: false },
  }),
];

const spec = parseSpec(
  `name: n
models: [{ id: a, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: p } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { efforts: [high, low] } }
  - { name: alone, kind: pass, benchmark: b, settings: { efforts: [low] } }`,
  's.yaml',
);

// Red before: 100 % at low effort, of the two tasks judged there, and 50 % at high effort, of four.
test('efforts are compared over tasks judged at all of them; intervals allow for the others', async () => {
  const folder = temporaryFolder();
  const outcomes = {
    'loops-low': ['pass', 'pass', 'missing_dependency', 'missing_dependency', 'not_run'],
    'loops-high': ['pass', 'pass', 'wrong_output', 'wrong_output', 'not_run'],
  };
  const answers = Object.entries(outcomes).flatMap(([study, own]) =>
    own.map((outcome, task) => ({ study, task: `T/${task}`, both: answer(study, `T/${task}`, outcome) })),
  );
  const page = 's/a/p';
  await writeRun(
    folder,
    [
      { table: 'calls', page, rows: answers.map(({ study, task }) => call(study, task, 100, 0)) },
      { table: 'samples', page, rows: answers.map(({ both: [sample] }) => sample) },
      { table: 'verdicts', page, rows: answers.map(({ both: [, verdict] }) => verdict) },
    ],
    { runId: 'r', spec },
  );
  const database = await openRun(folder);
  const [low, high] = await effortPoints(database, await modelCosts(database));
  database.close();
  // Of four tasks: the fifth has no reference's output.
  expect([low, high].map((point) => [point?.solved, point?.nTasks])).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(low?.interval?.lo).toBeLessThan(0.1);
  expect(high?.interval).toMatchObject({ lo: expect.any(Number), hi: 1 });
  expect(high?.interval?.lo).toBeLessThan(0.2);
});

test('each effort has its share solved, tokens and cost; a study at one effort has no curve', async () => {
  const folder = temporaryFolder();
  const answers = [
    ...['pass', 'pass', 'pass', 'wrong_output'].map((outcome, task) => answer('loops-high', `T/${task}`, outcome)),
    ...['pass', 'wrong_output', 'pass', 'wrong_output'].map((outcome, task) =>
      answer('loops-low', `T/${task}`, outcome),
    ),
    answer('alone', 'T/1', 'pass'),
  ];
  const page = 's/a/p';
  await writeRun(
    folder,
    [
      {
        ...{ table: 'calls', page },
        rows: [
          ...[0, 1, 2, 3].map((task) => call('loops-high', `T/${task}`, 500, 400)),
          ...[0, 1].map((task) => call('loops-low', `T/${task}`, 150, 50)),
          // An answer of another run has brought no tokens here.
          { ...call('loops-low', 'T/2', 0, 0), origin: 'earlier', usd: 0, cost_basis: 'free' },
          call('alone', 'T/1', 150, 50),
        ],
      },
      { table: 'samples', page, rows: answers.map(([sample]) => sample) },
      { table: 'verdicts', page, rows: answers.map(([, verdict]) => verdict) },
    ],
    { runId: 'r', spec },
  );
  const database = await openRun(folder);
  const points = await effortPoints(database, await modelCosts(database));
  database.close();
  expect(points).toMatchObject([
    { study: 'loops', model: 'a', effort: 'low', solved: 0.5, nTasks: 4, asked: 2, outputTokens: 300, usd: 0.3 },
    { study: 'loops', model: 'a', effort: 'high', solved: 0.75, nTasks: 4, outputTokens: 2000, reasoningTokens: 1600 },
  ]);
  // scipy.stats.binomtest(3, 4).proportion_ci(method='exact')
  expect(points[1]?.interval?.lo).toBeCloseTo(0.19412, 4);
  expect(points[1]?.interval?.hi).toBeCloseTo(0.993691, 4);
  const { parts } = effortSection(
    points,
    contextOf({ runs: [{ simulatedModels: [] }], studies: [], calls: [] } as never),
  );
  const rows = parts.filter(isTable).flatMap((table) => table.rows);
  expect(rows.map((row) => row.slice(4).map((one) => (typeof one === 'string' ? one : one.text)))).toEqual([
    ['4', '2', '150', '50', '$0.30', '$0.15'],
    ['4', '4', '500', '400', '$2.00', '$0.50'],
  ]);
});
