/**
 * The recipes for Python and R, on a run that was extended: with the versions that docs/results/recipes.md names, in a
 * virtual environment from PyPI, and in R if this machine has it. Those for DuckDB are in the integration tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { countedSql, recipe } from '../support/doc-recipes.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const environment = mkdtempSync(join(tmpdir(), 'evenkeel-python-'));
const packages = ['duckdb==2.0.1', 'marimo[sql]==0.25.2', 'pandas==3.1.1', 'pyarrow==26.0.1', 'polars==2.1.0'];

/** Why there is no Python with these packages, for the tests' names; empty if there is. */
function pythonFault(): string {
  const words = (text: string): string => ` (${text.trim().split('\n').at(-1) ?? ''})`;
  const made = spawnSync('python3', ['-m', 'venv', environment], { encoding: 'utf8' });
  if (made.status !== 0) return words(`no Python that makes virtual environments: ${made.stderr ?? made.error}`);
  const pip = spawnSync(join(environment, 'bin/pip'), ['install', '--quiet', ...packages], { encoding: 'utf8' });
  return pip.status === 0 ? '' : words(`packages not installed: ${pip.stderr}`);
}

function rFault(): string {
  const { status } = spawnSync('Rscript', ['-e', 'library(nanoparquet)']);
  return status === 0 ? '' : ' (needs R with nanoparquet)';
}

const [withoutPython, withoutR] = [pythonFault(), rFault()];

let deployment: Deployment;
let counts = '';
const folder = (): string => join(deployment.runsDir, 'deeper');

beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(12)));
  for (const [maxLoops, samples] of [
    [2, 2],
    [4, 5],
  ]) {
    const spec = deployment.write(
      'deeper.yaml',
      `
name: deeper
models:
  - { id: sim, provider: simulated, profile: { competence: 0.8, driftPerLoop: 0.3 } }
  - { id: other, provider: simulated, profile: { competence: 0.5, driftPerLoop: 0.1 } }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: ${maxLoops}, judge: none } }
  - { name: plain, kind: pass, benchmark: tiny, settings: { samples: ${samples} } }
`,
    );
    const end = await deployment.evenkeel('run', spec);
    expect(end.status, end.output).toBe(0);
  }
  const { stdout } = await deployment.evenkeel('query', 'deeper', countedSql, '--format', 'csv');
  counts = stdout.replaceAll('\r', '');
}, 240_000);
afterAll(async () => {
  await deployment?.close();
  rmSync(environment, { recursive: true, force: true });
});

test('the run has something to count', () => {
  expect(counts.trim().split('\n')).toHaveLength(3);
  expect(counts).toMatch(/^model,answers,passed\nother,\d+,\d+\nsim,\d+,\d+\n$/);
});

describe.skipIf(withoutPython !== '')(`in Python${withoutPython}`, () => {
  test.each(['Python with DuckDB', 'marimo', 'pandas', 'polars'])('%s', (heading) => {
    const script = join(deployment.folder, 'recipe.py');
    writeFileSync(script, recipe(heading, 'python'));
    const printed = execFileSync(join(environment, 'bin/python'), [script], { cwd: folder(), encoding: 'utf8' });
    expect(printed.replaceAll('\r', '')).toBe(counts);
  });
});

describe.skipIf(withoutR !== '')(`in R${withoutR}`, () => {
  test('R', () => {
    const printed = execFileSync('Rscript', ['-e', recipe('R', 'r')], { cwd: folder(), encoding: 'utf8' });
    expect(printed).toBe(counts);
  });
});
