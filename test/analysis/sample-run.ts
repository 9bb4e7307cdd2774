/**
 * A small EVALOOP run as its tables would hold it: models that differ in how often each loop succeeds, one row per
 * task, with calls and verdicts.
 */
import { slug } from '../../domain/ids.ts';
import { aslRows } from '../../domain/metrics/asl-rows.ts';
import { uniformOf } from '../../domain/random.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { type FixturePart, writeRun } from './run-fixture.ts';
import { plainLoops } from '../support/loop-settings.ts';

export interface SampleModel {
  readonly id: string;
  readonly family: string | null;
  readonly simulated: boolean;
  /** Chance that the first code passes, and that each later loop does. */
  readonly first: number;
  readonly later: number;
}

export interface SampleRun {
  readonly runId: string;
  readonly models: readonly SampleModel[];
  readonly tasks: number;
  readonly maxLoops: number;
  /** Null: the study has no judge. */
  readonly judge: string | null;
  /** False while the run goes on: table `asl` is not made yet. */
  readonly withAsl: boolean;
  /** Planned cells beyond the sealed ones. */
  readonly missing: number;
}

export async function writeSampleRun(folder: string, run: SampleRun, more: Partial<Manifest> = {}): Promise<Manifest> {
  const pages = run.models.flatMap((model) => pageParts(run, model));
  const loops = pages.filter(({ table }) => table === 'loops').flatMap(({ rows }) => rows);
  const settings = { maxLoops: run.maxLoops, judge: run.judge, seed: 7, resamples: 300 };
  const runParts: FixturePart[] = [
    {
      table: 'models',
      page: 'run',
      rows: run.models.map((model) => ({
        run: run.runId,
        model: model.id,
        provider: model.simulated ? 'simulated' : 'oai',
        kind: 'openai',
        roles: 'study',
        ...model,
      })),
    },
    { table: 'suites', page: 'run', rows: suiteRows(run) },
    ...(run.withAsl ? [{ table: 'asl' as const, page: 'run', rows: aslRows(loops, settings, suiteRows(run)) }] : []),
  ];
  return writeRun(folder, [...pages, ...runParts], { ...manifestFacts(run), ...more });
}

function manifestFacts(run: SampleRun): Partial<Manifest> {
  const cells = run.models.length * run.tasks;
  return {
    runId: run.runId,
    state: run.missing === 0 ? 'complete' : 'running',
    finishedAt: run.missing === 0 ? '2026-11-20T20:30:00.000Z' : null,
    plan: [
      {
        file: 'inputs/plan.json',
        sha256: 'b'.repeat(64),
        revision: 1,
        createdAt: '2026-11-20T20:00:00.000Z',
        pages: run.models.length,
        cells: cells + run.missing,
      },
    ],
    specText: `name: ${run.runId}\nseed: 7\nmodels:\n${run.models.map(({ id }) => `  - { id: "${id}" }\n`).join('')}`,
    spec: {
      name: 'sample',
      seed: 7,
      providers: {},
      models: run.models.map(({ id, simulated }) => ({
        id,
        provider: simulated ? 'simulated' : 'oai',
        strictVersion: false,
        study: true,
      })),
      benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
      studies: [
        {
          name: 'loops',
          kind: 'evaloop',
          benchmark: 'mbpp',
          repetitions: 1,
          settings: { ...plainLoops, maxLoops: run.maxLoops, judge: run.judge ?? 'none' },
        },
      ],
      reuse: [],
    },
  };
}

const taskId = (task: number): string => `MBPP/${task}`;

const suiteRows = ({ runId, tasks }: SampleRun): Row[] =>
  Array.from({ length: tasks }, (_, task) => ({
    run: runId,
    benchmark: 'mbpp',
    task_id: taskId(task),
    language: 'python',
    suite: 'base',
    n_cases: 3,
    reference_outcome: task === 3 ? 'wall_timeout' : 'pass',
    limits: '{}',
  }));

function pageParts(run: SampleRun, model: SampleModel): FixturePart[] {
  const page = `${slug('loops')}/${model.id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-0/r1p0000`;
  const cells = Array.from({ length: run.tasks }, (_, task) => loopRow(run, model, task));
  const calls = cells.flatMap((cell, task) => callRows(run, model, cell, page, task));
  return [
    { table: 'loops', page, rows: cells },
    {
      table: 'samples',
      page,
      rows: cells.map((cell) => ({
        ...keyOf(cell),
        loop: 1,
        step: 'generate',
        sample: 0,
        ask: 0,
        answering_model: model.id,
        reply: 'def f(): pass',
        reply_status: 'ok',
        simulated: model.simulated,
      })),
    },
    { table: 'calls', page, rows: calls },
    {
      table: 'executions',
      page,
      rows: [
        {
          execution_id: `e-${model.id}`,
          page,
          suite: 'base',
          outcome: 'pass',
          wall_ms: 12,
          tier: 'embedded',
          lane: 'wasm',
          engine: 'pyodide 314.0.7 (CPython 3.14.2)',
          image_digest: 'sha256:0123456789abcdef',
          limits: '{}',
        },
      ],
    },
  ];
}

const keyColumns = ['run', 'study', 'model', 'benchmark', 'task_id', 'language', 'variant', 'setting', 'repetition'];

const keyOf = (row: Row): Row => Object.fromEntries(keyColumns.map((column) => [column, row[column] ?? null]));

function loopRow(run: SampleRun, model: SampleModel, task: number): Row {
  const draw = (name: string, loop: number): number => uniformOf(model.id, task, name, loop);
  let sustained = 0;
  while (sustained < run.maxLoops && draw('pass', sustained) < (sustained === 0 ? model.first : model.later))
    sustained += 1;
  const survived = sustained === run.maxLoops;
  const noSummary = !survived && sustained > 0 && draw('summary', 0) < 0.04;
  const excluded = !survived && draw('excluded', 0) < 0.01;
  const outcome =
    ['wrong_output', 'wrong_output', 'wrong_output', 'exception', 'wall_timeout', 'syntax_error', 'no_code'][
      Math.floor(7 * draw('outcome', 0))
    ] ?? '';
  const judged = run.judge !== null && !noSummary && sustained > 0 && !survived;
  return {
    run: run.runId,
    study: 'loops',
    model: model.id,
    benchmark: 'mbpp',
    task_id: taskId(task),
    language: 'python',
    variant: 'original',
    setting: 'default',
    repetition: 0,
    sustained_loops: sustained,
    ended_by: survived ? 'survived' : excluded ? 'excluded' : noSummary ? 'no_summary' : 'code_failed',
    ended_outcome: survived || noSummary ? null : excluded ? 'missing_dependency' : outcome,
    similarity: judged ? Math.round(10 * draw('judge', 0)) / 10 : null,
    similarity_reason: judged ? null : 'not needed',
    simulated: model.simulated,
  };
}

function callRows(run: SampleRun, model: SampleModel, cell: Row, page: string, task: number): Row[] {
  const count = 2 * Number(cell['sustained_loops']) + 1;
  const study = Array.from({ length: count }, (_, index) =>
    callRow(model.id, 'study', cell, page, 100 * task + index, model.simulated),
  );
  const judge =
    run.judge !== null && cell['similarity'] !== null
      ? [callRow(run.judge, 'judge', cell, page, 100 * task + 99, false)]
      : [];
  return [...study, ...judge];
}

const callRow = (answering: string, role: string, cell: Row, page: string, call: number, free: boolean): Row => ({
  ...keyOf(cell),
  loop: 1,
  step: role === 'judge' ? 'judge' : 'generate',
  sample: 0,
  page,
  call,
  ask: 0,
  n: 1,
  role,
  answering_model: answering,
  returned_model: `${answering}-2026`,
  status: call % 211 === 7 ? 'lost' : call % 97 === 5 ? 'failed' : 'answered',
  used: true,
  input_tokens: 180 + (call % 40),
  cached_tokens: null,
  output_tokens: 90 + (call % 70),
  reasoning_tokens: null,
  usd: free ? 0 : 0.0004,
  cost_basis: free ? 'free' : call % 211 === 7 ? 'estimated' : 'reported',
  price_date: free ? null : '2026-11-01',
  started_at: Date.UTC(2026, 10, 20, 20, 0, call % 60),
  latency_ms: 400,
});
