/** Wall times of two runs are not compared: a machine that was busier in one of them slows every program of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { renderMarkdown } from '../../../analysis/report/text/report-markdown.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { acrossRuns } from '../../../studies/across/across-runs.ts';
import { collectReport } from '../../../studies/report.ts';
import { historyNote } from '../../../studies/robunfr/report/history.ts';
import { verdictHistory } from '../../../studies/robunfr/results/history.ts';
import { gateOver } from '../../../studies/gate.ts';
import { compareOver, type CompareRequest } from '../../../studies/compare.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const models = ['a', 'b'];
const tasks = Array.from({ length: 12 }, (_, index) => `MBPP/${index}`);
const runs = ['calm', 'busy'] as const;
type RunName = (typeof runs)[number];
const specOf = (name: RunName) =>
  parseSpec(
    `
name: ${name}
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: nfr, kind: robunfr-prompts, benchmark: mbpp, settings: { dimensions: [reliability] } }]
`,
    `${name}.yaml`,
  );

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

/** The same programs; in the busy run each takes twice the wall time. */
function rowsOf(run: RunName, table: 'verdicts' | 'nfr_scores' | 'timings'): Row[] {
  return models.flatMap((model) =>
    tasks.map((task_id, place) => {
      const cell = {
        ...{ run, study: 'nfr', model, benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
        ...{ setting: 'function-only', repetition: 0, simulated: false, step: 'generate' },
      };
      const execution_id = `${model} ${task_id}`;
      const cpu_ns = 1e7 + 1e6 * place + (model === 'b' ? 1e5 : 0);
      const times = { cpu_ns, wall_ns: run === 'busy' ? 2 * cpu_ns : cpu_ns, waited_ns: 0, repeat: 0 };
      const given = {
        verdicts: { loop: 1, sample: 0, suite: 'base', outcome: 'pass', execution_id },
        nfr_scores: { dimension: 'function-only', phrasing: null, passed: true },
        timings: { execution_id, ...times },
      };
      return filled(table, { ...cell, ...given[table] });
    }),
  );
}

let folder = '';
let both: RunDatabase;
let one: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-wall-'));
  const page = 'nfr/m/r1p0000';
  for (const run of runs)
    await writeRun(
      join(folder, run),
      [
        { table: 'verdicts', page, rows: rowsOf(run, 'verdicts') },
        { table: 'nfr_scores', page, rows: rowsOf(run, 'nfr_scores') },
        { table: 'timings', page, rows: rowsOf(run, 'timings') },
        { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      ],
      { runId: run, spec: specOf(run) },
    );
  both = await openRun(runs.map((run) => join(folder, run)));
  one = await openRun(join(folder, 'calm'));
});
afterAll(async () => {
  both.close();
  one.close();
  await rm(folder, { recursive: true });
});

const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05 };
const left =
  'study nfr: wall_ratio, wall_ratio_passing left out, because wall times of different runs also differ by what else ' +
  'the machine did: compare processor time (cpu_ratio), or models of one run';

// Red before: each model was worse than itself, p = 1/2048.
test('a model in two runs is compared by processor time, and a note says why not by wall time', async () => {
  const { comparisons, notes } = await compareOver(both, { ...request, models: ['a'] });
  const times = comparisons.filter(({ subject }) => /_ratio/.test(subject.metric));
  expect(times.map(({ subject }) => subject.metric).toSorted()).toEqual(['cpu_ratio', 'cpu_ratio_passing']);
  expect(times.flatMap(({ pairs }) => pairs.map(({ verdict }) => verdict))).not.toContain('worse');
  expect(notes).toContain(left);
});

test('asked for by name, there is nothing to compare, and the reason is said', async () => {
  await expect(compareOver(both, { ...request, models: ['a'], metric: 'wall_ratio' })).rejects.toThrow(
    'nothing to compare: no study has two models that share a task with wall_ratio; study nfr: wall_ratio left out',
  );
});

// Red before: without the note.
test('the history of runs has no wall times, and a note says why', async () => {
  const across = await acrossRuns(both, []);
  const found = across?.models.map(({ comparison }) => comparison.subject.metric) ?? [];
  expect(found).toContain('cpu_ratio');
  expect(found.filter((metric) => metric.startsWith('wall_'))).toEqual([]);
  expect(across?.leftOut).toEqual([left]);
});

// Red before: '(ms)' alone, next to a difference in percent.
test('the history says that times are in ms, and their differences in percent', async () => {
  const text = renderMarkdown(await collectReport(both));
  expect(text).toMatch(/\| change of processor time \(ms; difference in % of time\) +\| [\d.]+ /);
  expect(text).toMatch(/\| pass@1 \(base\) \(%\) +\| 100\.00 /);
});

// Red before: wall_ms of both models was worse.
test('nor have the verdicts of RobuNFR over runs', async () => {
  const steps = await verdictHistory(both);
  expect(steps.map(({ metric }) => metric)).toContain('cpu_ms');
  expect(steps.filter(({ metric }) => metric.startsWith('wall_'))).toEqual([]);
  expect(historyNote).toContain('Wall times are left out');
});

// Red before: without the note.
test('a gate with a rule about wall times between runs says what they depend on', async () => {
  const policy = {
    confidence: 0.95,
    unjudged: 'inconclusive' as const,
    rules: [{ metric: 'wall_ratio' as const, margin: 400 }],
  };
  const { notes } = await gateOver(both, { run: 'busy', against: 'calm' }, policy);
  expect(notes.join()).toContain('wall times of different runs also differ by what else the machine did');
});

test('models of one run are compared by both', async () => {
  const { comparisons, notes } = await compareOver(one, request);
  const metrics = comparisons.map(({ subject }) => subject.metric);
  expect(metrics).toEqual(expect.arrayContaining(['wall_ratio', 'cpu_ratio']));
  expect(notes).not.toContain(left);
});
