/** A report over two runs: what differs between them, and the model that both have, counted by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerAcross } from '../../analysis/across/answer.ts';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { renderJson } from '../../analysis/report/json.ts';
import { renderMarkdown } from '../../analysis/report/text/report-markdown.ts';
import type { Report } from '../../analysis/report/report.ts';
import type { Row } from '../../schemas/tables.ts';
import { collectReport } from '../../studies/report.ts';
import { writeRun } from '../analysis/run-fixture.ts';
import { plainLoops } from '../support/loop-settings.ts';

/** In both: 0 to 8. Task 8 has another prompt in the second run. */
const runs = [
  { run: 'monday', models: ['alpha', 'beta'], tasks: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], passed: [0, 1, 2, 3, 4, 5, 6] },
  { run: 'tuesday', models: ['alpha', 'gamma'], tasks: [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], passed: [0, 7] },
] as const;
type HandRun = (typeof runs)[number];
const taskName = (task: number): string => `MBPP/${task}`;

let folder = '';
let database: RunDatabase;
let report: Report;

async function write({ run, models, tasks, passed }: HandRun): Promise<void> {
  const isSecond = run === 'tuesday';
  const key = (model: string, task: number): Row => ({
    ...{ run, study: 'loops', model, benchmark: 'mbpp', task_id: taskName(task), language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false },
  });
  const passes = (task: number): boolean => (passed as readonly number[]).includes(task);
  const cells = models.flatMap((model) => tasks.map((task) => ({ model, task })));
  const page = 'loops/m-1/r1p0000';
  await writeRun(
    join(folder, run),
    [
      ...[
        {
          ...({ table: 'samples', page } as const),
          rows: cells.map(({ model, task }) => ({
            ...key(model, task),
            ...{ loop: 1, step: 'generate', sample: 0, ask: 0, answering_model: model, prompt_sha256: 'p' },
            ...{ reply: `${run} ${model} ${task}`, reply_status: 'ok' },
          })),
        },
        {
          ...({ table: 'verdicts', page } as const),
          rows: cells.map(({ model, task }) => ({
            ...key(model, task),
            ...{ loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: passes(task) ? 'pass' : 'wrong_output' },
          })),
        },
        {
          ...({ table: 'loops', page } as const),
          rows: cells.map(({ model, task }) => ({
            ...key(model, task),
            ...{ sustained_loops: passes(task) ? 1 : 0, ended_by: passes(task) ? 'survived' : 'code_failed' },
          })),
        },
      ],
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      {
        ...{ table: 'tasks', page: 'run' },
        rows: tasks.map((task) => ({
          ...{ run, benchmark: 'mbpp', task_id: taskName(task), language: 'python' },
          record_sha256: task === 8 && isSecond ? 'b' : 'a',
        })),
      },
    ],
    {
      runId: run,
      programVersion: isSecond ? '0.2.0' : '0.1.0',
      spec: {
        ...{ name: run, seed: isSecond ? 8 : 7, providers: {}, reuse: [] },
        models: models.map((id) => ({ id, provider: 'oai', strictVersion: false, study: true })),
        benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
        studies: [
          {
            ...{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', repetitions: 1 },
            settings: { ...plainLoops, maxLoops: 1, temperature: isSecond ? 0.7 : 0 },
          },
        ],
      },
    },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-across-'));
  for (const run of runs) await write(run);
  database = await openRun(runs.map(({ run }) => join(folder, run)));
  report = await collectReport(database);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

test('what differs: settings and versions one by one, a whole model as one line', () => {
  expect(report.across?.differences).toEqual([
    { area: 'spec', name: 'seed', values: ['7', '8'] },
    { area: 'model beta', name: '', values: ['yes', null] },
    { area: 'model gamma', name: '', values: [null, 'yes'] },
    { area: 'study loops', name: 'settings.temperature', values: ['0', '0.7'] },
    { area: 'versions', name: 'program', values: ['0.1.0', '0.2.0'] },
  ]);
});

test('tasks: the same, changed, and in one run only', () => {
  expect(report.across?.tasks).toEqual([
    {
      ...{ old: 'monday', now: 'tuesday', benchmark: 'mbpp', same: 8 },
      ...{ changed: ['MBPP/8'], otherSuites: [], suiteNotes: [], onlyOld: ['MBPP/9'], onlyNow: ['MBPP/10'] },
    },
  ]);
});

test('the shared model on the eight equal tasks: 7 pass before and 2 after, one better and six worse', () => {
  const models = report.across?.models ?? [];
  expect(new Set(models.map(({ model }) => model))).toEqual(new Set(['alpha']));
  const { comparison, pHolm } = models.find(({ comparison: { subject } }) => subject.metric === 'pass_at_1') ?? {};
  expect(comparison?.taskIds).toHaveLength(8);
  const [pair] = comparison?.pairs ?? [];
  expect(pair).toMatchObject({ difference: expect.closeTo(-62.5, 9), better: 1, worse: 6, verdict: 'inconclusive' });
  // McNemar's exact test of 1 against 6: 2 (1 + 7) / 2^7.
  expect(pHolm).toBeCloseTo(0.125, 12);
});

test('these come first on the first page, before each run’s own results, in every format', async () => {
  const html = await renderReport(report, await collectExamples(database));
  const [differences, models, cards] = [
    'What differs between the runs',
    'The same models in both runs',
    'id="cards',
  ].map((text) => html.indexOf(text));
  expect(differences).toBeGreaterThan(0);
  expect(models).toBeGreaterThan(differences as number);
  expect(cards === -1 || (cards as number) > (models as number)).toBe(true);
  const markdown = renderMarkdown(report);
  expect(markdown).toMatch(/\| alpha +\| pass@1 .*\| 87\.50 .*\| 25\.00 .*\| -62\.50 .*\| INCONCLUSIVE +\| \+1 -6 /);
  expect(markdown).toMatch(/^Of 1 comparison of a model with itself, none shows a difference on these tasks\.$/m);
  const document = JSON.parse(await renderJson(report)) as { across: { models: unknown[] } };
  expect(document.across.models).toContainEqual(
    expect.objectContaining({ model: 'alpha', metric: 'pass_at_1', old_value: 87.5, value: 25, better: 1, worse: 6 }),
  );
});

const compared = (model: string, pHolm: number, verdict: 'better' | 'worse' | 'inconclusive', now = 'tuesday') => ({
  ...{ old: now === 'tuesday' ? 'monday' : 'tuesday', now, model, pHolm },
  comparison: { pairs: [{ verdict }], options: { alpha: 0.05 } },
});

test('the answer counts what is shown after Holm’s adjustment, for the later run', () => {
  const four = [
    ...[compared('a', 0.01, 'better'), compared('b', 0.05, 'worse')],
    ...[compared('c', 0.04, 'worse'), compared('d', 0.06, 'worse')],
  ];
  expect(answerAcross(four)).toBe(
    'Of 4 comparisons of a model with itself, the later run is shown to be better in 1 and worse in 2.',
  );
  expect(answerAcross([compared('a', 0.2, 'better')])).toBe(
    'Of 1 comparison of a model with itself, none shows a difference on these tasks.',
  );
});

// Red before: "Of 4 comparisons of a model with itself, the later run is shown to be better in 0 and worse in 2."
test('a model that falls once counts once, in however many suites', () => {
  const fallsOnce = [
    ...[compared('a', 0.01, 'worse'), compared('a', 0.01, 'worse')],
    ...[compared('a', 1, 'inconclusive', 'wednesday'), compared('a', 1, 'inconclusive', 'wednesday')],
  ];
  expect(answerAcross(fallsOnce)).toBe(
    'Of 2 comparisons of a model with itself, the later run is shown to be better in 0 and worse in 1. ' +
      'Each metric and suite on its own: better in 0 and worse in 2 of 4.',
  );
  expect(answerAcross(fallsOnce.slice(2))).toBe(
    'Of 1 comparison of a model with itself, none shows a difference on these tasks.',
  );
});

test('a task that flips opens its answers in both runs, and these examples come first', async () => {
  const { examples } = await collectExamples(database);
  // Of the same model: tasks 1 to 6 pass on Monday only, and task 7 on Tuesday only; task 8 fails in both.
  const flipped = examples.filter(({ flips }) => flips.includes('run'));
  const asked = flipped.map(({ run, model, taskId }) => `${run} ${model} ${taskId}`).toSorted();
  const wanted = [1, 2, 3, 4, 5, 6, 7].flatMap((task) => runs.map(({ run }) => `${run} alpha ${taskName(task)}`));
  expect(asked).toEqual(wanted.toSorted());
  const first = examples.slice(0, 14).map(({ run, taskId }) => `${run} ${taskId}`);
  expect(first.toSorted()).toEqual(wanted.map((text) => text.replace('alpha ', '')).toSorted());
  expect(await renderReport(report, await collectExamples(database))).toContain(
    '#examples?study=loops&amp;model=alpha&amp;task=MBPP%2F1"',
  );
});
