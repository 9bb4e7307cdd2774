/**
 * Files of other tools are judged by the run of a spec that `import` writes, with the tools' own verdicts beside:
 * real Temporal server, real sandbox, real Parquet. The files were made by the tools themselves
 * (test/fixtures/exchange); what each sample does there is written in common.py.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ImportFormatName } from '../../../activities/exchange/imports/import-formats.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { fixture, imported, jsonLines, threeTasks } from '../../activities/exchange/imports/reading.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';

/** Formats beside EvalPlus, which makes the spec. */
const others: readonly (readonly [ImportFormatName, ...string[]])[] = [
  ['human-eval', 'human-eval', 'samples.jsonl_results.jsonl'],
  ['inspect', 'inspect', 'log.eval'],
  ['bigcode', 'bigcode', 'generations.json'],
  ['livecodebench', 'livecodebench', 'eval_all.json'],
  ['bigcodebench', 'bigcodebench', 'samples_eval_results.json'],
  ['promptfoo', 'promptfoo', 'results.json'],
];

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
  const at = (name: string): string => join(deployment.folder, name);
  const end = await deployment.evenkeel(
    ...['import', fixture('evalplus', 'samples_eval_results.json'), '--format', 'evalplus'],
    ...['--benchmark', `evenkeel:${starterBenchmark}`, '--out', at('evalplus.jsonl'), '--spec', at('judge.yaml')],
  );
  expect(end.status, end.output).toBe(0);
  expect(end.stdout).toContain('wrote 6 samples of 3 tasks (2 of each)');
  const spec = parse(readFileSync(at('judge.yaml'), 'utf8')) as { models: object[] };
  expect(spec).toMatchObject({ models: [{ id: 'evalplus', file: 'evalplus.jsonl' }] });
  for (const [format, ...path] of others) {
    const { lines } = await imported(format, fixture(...path), { tasks: threeTasks });
    deployment.write(`${format}.jsonl`, jsonLines(lines));
    spec.models.push({ id: format, provider: 'replay', file: `${format}.jsonl` });
  }
  writeFileSync(at('judge.yaml'), stringify(spec));
  const run = await deployment.evenkeel('run', at('judge.yaml'));
  expect(run.status, run.output).toBe(0);
}, 180_000);
afterAll(() => deployment?.close());

test('every sample is judged as what the file holds, in every format alike', async () => {
  const sql = 'select model, task_id, sample, passed, failing_suite from answers order by all';
  const judged = ['evalplus', ...others.map(([format]) => format)].sort().flatMap((model) =>
    [
      ['Starter/1', 0, true, null],
      ['Starter/1', 1, false, 'plus'],
      ['Starter/6', 0, true, null],
      ['Starter/6', 1, false, 'base'],
      ['Starter/9', 0, true, null],
      ['Starter/9', 1, false, 'base'],
    ].map(([task_id, sample, passed, failing_suite]) => ({ model, task_id, sample, passed, failing_suite })),
  );
  expect(await deployment.rows('judge', sql)).toEqual(judged);
});

test('the verdicts of the other tool are beside those of the run, with the agreement per task', async () => {
  const rows = await deployment.rows(
    'judge',
    "from recorded_agreement where task_id = 'Starter/1' and model in ('evalplus', 'human-eval') order by model, suite",
  );
  const all = {
    task_id: 'Starter/1',
    n: 2,
    n_unjudged: 0,
    n_same: 2,
    n_only_recorded: 0,
    n_only_here: 0,
    agreement: 1,
  };
  expect(rows).toMatchObject([
    { ...all, recorded_by: 'evalplus', suite: 'base' },
    { ...all, recorded_by: 'evalplus', suite: 'plus' },
    { ...all, recorded_by: 'human-eval', suite: 'base' },
  ]);
  // The two tools that ran no tests of suite plus pass the program that fails there.
  const wrong = await deployment.rows(
    'judge',
    'select model, task_id, n_only_recorded from recorded_agreement where n_same < n order by all',
  );
  expect(wrong).toEqual(['inspect', 'promptfoo'].map((model) => ({ model, task_id: 'Starter/1', n_only_recorded: 1 })));
});

// Counted by hand for `inspect`: of six answers three pass both, one passes only there, two fail both. Kappa: observed
// 5/6, by chance 4/6 x 3/6 + 2/6 x 3/6 = 1/2, so 2/3.
test('the report says how far both agree, and names the tasks on which they differ', async () => {
  const out = join(deployment.folder, 'judge.md');
  const end = await deployment.evenkeel('report', 'judge', '--format', 'md', '--out', out);
  expect(end.status, end.output).toBe(0);
  const lines = readFileSync(out, 'utf8')
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '))
    .filter((line) => line.includes('| inspect/verify |') || line.startsWith('| evalplus | imported | evalplus |'));
  expect(lines).toEqual([
    '| evalplus | imported | evalplus | base | 6 | 100.0 % | 1.000 | 4 | 2 | 0 | 0 | 0 |',
    '| evalplus | imported | evalplus | plus | 6 | 100.0 % | 1.000 | 3 | 3 | 0 | 0 | 0 |',
    '| inspect | imported | inspect/verify | all suites | 6 | 83.3 % | 0.667 | 3 | 2 | 1 | 0 | 0 |',
    '| inspect | imported | imported | Starter/1 | inspect/verify | all suites | 2 | 1 | 1 | 0 |',
  ]);
});

// Red before: the answer of the first task was judged for all of them, and nothing was said.
test('of tasks with the same prompt each is judged by its own answer', async () => {
  const at = (name: string): string => join(deployment.folder, name);
  const task = (n: number) => ({
    ...{ task_id: `same/${n}`, prompt: 'Write a function f that returns its number.', entry_point: 'f' },
    ...{ reference: `def f():\n    return ${n}`, suites: { base: { inputs: [[]] } } },
  });
  const answers = [1, 2, 4].map((returned, index) => ({
    ...{ task_id: `same/${index + 1}`, solution: `def f():\n    return ${returned}\n` },
  }));
  deployment.write('same.jsonl', jsonLines([1, 2, 3].map(task)));
  deployment.write('given.jsonl', jsonLines(answers));
  const end = await deployment.evenkeel(
    ...['import', at('given.jsonl'), '--format', 'samples', '--benchmark', `evenkeel:${at('same.jsonl')}`],
    ...['--out', at('same-replies.jsonl'), '--spec', at('same.yaml')],
  );
  expect(end.status, end.output).toBe(0);
  const run = await deployment.evenkeel('run', at('same.yaml'));
  expect(run.status, run.output).toBe(0);
  const rows = await deployment.rows('same', 'select task_id, passed from answers order by all');
  expect(rows).toEqual([true, true, false].map((passed, index) => ({ task_id: `same/${index + 1}`, passed })));
});
