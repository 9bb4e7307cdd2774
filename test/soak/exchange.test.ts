/**
 * Exported files are read by the packages that they are for, in a virtual environment that this test makes:
 * inspect_ai, evalplus and every-eval-ever, pandas and polars. Needs Python 3.12 and a package index.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { fixture, ids } from '../activities/exchange/imports/reading.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';

const packages = [
  ...['inspect_ai==0.3.285', 'evalplus==0.3.1', 'every-eval-ever==0.3.0'],
  ...['pandas==3.1.1', 'pyarrow==26.0.1', 'polars==2.1.0'],
];
const isNew = 'import sys; assert sys.version_info >= (3, 12)';
const python = ['python3.13', 'python3.12', 'python3'].find(
  (name) => spawnSync(name, ['-c', isNew], { encoding: 'utf8' }).status === 0,
);

interface Seen {
  readonly [package_: string]: unknown;
  readonly evalplus: { readonly samples: readonly (readonly [string, string])[] };
}

const skipNote = python === undefined ? ' (skipped: needs Python 3.12 or newer)' : '';
describe.skipIf(python === undefined)(`exported files are read by their packages${skipNote}`, () => {
  let deployment: Deployment;
  let seen: Seen;
  beforeAll(async () => {
    deployment = await openDeployment();
    const at = (...names: string[]): string => join(deployment.folder, ...names);
    const done = async (...args: string[]): Promise<void> => {
      const end = await deployment.evenkeel(...args);
      expect(end.status, end.output).toBe(0);
    };
    await done(
      ...['import', fixture('evalplus', 'samples_eval_results.json'), '--format', 'evalplus'],
      ...['--benchmark', `evenkeel:${starterBenchmark}`, '--out', at('judged.jsonl'), '--spec', at('judge.yaml')],
    );
    // every_eval_ever warns of a model without its developer.
    const spec = readFileSync(at('judge.yaml'), 'utf8').replace('id: judged', 'id: org/judged');
    await done('run', deployment.write('judge.yaml', spec));
    const formats = { inspect: 'out.eval', evalplus: 'samples.jsonl', csv: 'out.csv', parquet: 'out.parquet' };
    const more = { 'evalplus-results': 'samples_eval_results.json', 'every-eval-ever': '.', junit: 'out.xml' };
    for (const [format, name] of Object.entries({ ...formats, ...more }))
      await done('export', 'judge', '--format', format, '--out', at(name));
    await promisify(execFile)(python ?? '', ['-m', 'venv', at('venv')]);
    await promisify(execFile)(at('venv', 'bin', 'pip'), ['install', '--quiet', ...packages]);
    const args = [fixture('read_exports.py'), deployment.folder, join(deployment.runsDir, 'judge')];
    const { stdout } = await promisify(execFile)(at('venv', 'bin', 'python'), args, { maxBuffer: 2 ** 26 });
    seen = JSON.parse(stdout) as Seen;
  }, 900_000);
  afterAll(() => deployment?.close());

  test('Inspect reads samples, scores and accuracy, and its viewer lists the log', () => {
    const scores = (base: string, plus: string) => ({ evenkeel: plus, base, plus });
    const samples = ids.flatMap((id) => [
      [id, 1, scores('C', 'C')],
      [id, 2, scores(id === 'Starter/1' ? 'C' : 'I', 'I')],
    ]);
    expect(seen['inspect']).toEqual({
      ...{ status: 'success', model: 'org/judged', epochs: 2, samples, summaries: 6, in_the_viewer: ['out.eval'] },
      accuracy: { evenkeel: 0.5, base: 0.666667, plus: 0.5 },
    });
  });

  test('EvalPlus loads the programs that were imported, and computes pass@1 from the results', () => {
    const lines = readFileSync(fixture('evalplus', 'samples.jsonl'), 'utf8').trim().split('\n');
    const programs = lines.map((line) => JSON.parse(line) as { task_id: string; solution: string });
    expect(seen.evalplus).toEqual({
      samples: programs.map(({ task_id, solution }) => [task_id, solution]),
      pass_at_1: [0.667, 0.5],
    });
  });

  test('every_eval_ever’s validator accepts the folder; JUnit is XML; tables have each row once', () => {
    expect(seen['every_eval_ever']).toMatchObject({ files: 2, status: 0 });
    expect(seen['junit']).toEqual([6, 3]);
    expect(seen['sizes']).toEqual([6, 6]);
    const twice = (count: number) => [count, count];
    expect(seen['tables']).toEqual({
      rows: {
        ...{ samples: twice(6), verdicts: twice(12), tasks: twice(3), models: twice(1) },
        recorded_verdicts: twice(12),
      },
      models: ['org/judged'],
    });
  });
});
