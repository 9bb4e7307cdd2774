/** Why a measure is null where the references of a benchmark give no output: they are named, and not evenkeel. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { robunfrTables } from '../../../studies/robunfr/results/tables.ts';
import { writeRun } from '../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const spec = parseSpec(
  `
name: r
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: nfr, kind: robunfr-prompts, benchmark: b, repetitions: 1 }]
`,
  'r.yaml',
);

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

/** By metric: of a run with one answer to each of two tasks. */
async function reasonsOf(
  outcomes: readonly [string, string],
  tier: string,
): Promise<Readonly<Record<string, unknown>>> {
  const folder = join(temporaryFolder(), 'r');
  const cells = outcomes.map((outcome, task) => ({
    cell: {
      ...{ run: 'r', study: 'nfr', model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
      ...{ variant: 'original', setting: 'function-only', repetition: 0, simulated: false, step: 'generate' },
    },
    outcome,
  }));
  const scores = cells.map(({ cell }) =>
    filled('nfr_scores', { ...cell, dimension: 'function-only', failure: 'excluded' }),
  );
  const verdicts = cells.map(({ cell, outcome }) =>
    filled('verdicts', { ...cell, loop: 1, sample: 0, suite: 'base', outcome, execution_id: cell.task_id }),
  );
  const sandbox = { tier, engine: 'e', imageDigest: 'd' };
  const manifest = await writeRun(
    folder,
    [
      { table: 'nfr_scores', page: 'nfr/m/r1p0000', rows: scores },
      { table: 'verdicts', page: 'nfr/m/r1p0000', rows: verdicts },
    ],
    { runId: 'r', spec, state: 'running', sandbox },
  );
  const database = await openRun(folder);
  try {
    const { nfr_summary } = await robunfrTables(database, manifest);
    return Object.fromEntries(nfr_summary.map((row) => [row['metric'], row['reason']]));
  } finally {
    database.close();
  }
}

// Red before: "all were excluded because of limits of evenkeel", and "see tables executions and timings".
test('references without output are named', async () => {
  const none = 'the references of the tasks T/0, T/1 give no output to compare with';
  expect(await reasonsOf(['not_run', 'not_run'], 'container')).toMatchObject({
    pass_at_1: `no solution counts: ${none}; see table suites`,
    wall_ms: `no solution has a time: ${none}, and only judged programs are timed; see table suites`,
  });
});

test('together with the limits that excluded the others', async () => {
  expect(await reasonsOf(['not_run', 'missing_dependency'], 'container')).toMatchObject({
    pass_at_1:
      'no solution counts: the reference of the task T/0 gives no output to compare with, and limits of evenkeel ' +
      'excluded all solutions of the other tasks; see table suites',
    wall_ms: 'no solution has a time: see tables executions and timings',
  });
});

test('limits alone where they are the cause', async () => {
  expect((await reasonsOf(['missing_dependency', 'missing_dependency'], 'embedded'))['pass_at_1']).toBe(
    'no solution counts: all were excluded because of limits of evenkeel',
  );
});
