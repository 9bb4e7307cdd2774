/** A gate on a run that has just begun, or stopped at once: results are missing, and no names are wrong. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver, type GateReport } from '../../../studies/gate.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';

const models = ['org/m', 'org/n'];
const tasks = Array.from({ length: 10 }, (_, index) => `MBPP/${index + 1}`);

let folder = '';
let database: RunDatabase;

/** @param answered the models with finished answers @param hasTasks false for one that has not come to its end */
async function write(run: string, answered: readonly string[], hasTasks = true): Promise<void> {
  const key = { run, benchmark: 'mbpp', language: 'python' };
  const taskRow = (task_id: string) => ({ ...key, task_id, record_sha256: 'a' });
  const rows = answered.flatMap((model) =>
    tasks.map((task_id) => ({
      ...{ ...key, study: 'loops', model, task_id, variant: 'original', setting: 'default', repetition: 0 },
      ...{ loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass', simulated: false },
    })),
  );
  await writeRun(
    join(folder, run),
    [
      ...(rows.length === 0 ? [] : [{ table: 'verdicts' as const, page: 'loops/m/r1p0000', rows }]),
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      ...(hasTasks ? [{ table: 'tasks' as const, page: 'run', rows: tasks.map(taskRow) }] : []),
    ],
    {
      ...{ runId: run, state: answered.length === models.length && hasTasks ? 'complete' : 'running' },
      spec: {
        ...emptyManifest.spec,
        models: models.map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true })),
      },
    },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-without-results-'));
  await write('full', models);
  await write('begun', []);
  await write('half', ['org/m']);
  await write('open', models, false);
  database = await openRun(['full', 'begun', 'half', 'open'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const gated = (run: string, against: string, metric = 'pass_at_1'): Promise<GateReport> =>
  gateOver(database, { run, against }, gatePolicySchema.parse({ rules: [{ metric, margin: 5 }] }));

const remedy = (run: string, verb = 'the gate'): string =>
  `use ${verb} again when the run is complete (\`status ${run}\` says how far it is, and \`resume ${run}\` ` +
  'continues it if it stopped)';
const begun = `run begun has no finished results yet, so nothing of it can be compared: ${remedy('begun')}`;

// Red before: 'rule 1 (pass_at_1) applies to nothing: the comparison has no metric'.
test('a run without any finished page is named as such on either side, and the gate is inconclusive', async () => {
  for (const [run, against] of [
    ['begun', 'full'],
    ['full', 'begun'],
  ] as const) {
    const { outcome, comparisons, notes } = await gated(run, against);
    expect([outcome, notes]).toEqual(['inconclusive', [begun]]);
    expect(comparisons.map(({ title }) => title)).toEqual(
      models.map((model) => `loops: ${model} (${against}) to ${model} (${run})`),
    );
  }
});

// Red before: 'the comparison has asl_unweighted, asl'.
test('a rule that no study of such a run can have still applies to nothing, whatever the run will have', async () => {
  const { outcome, notes } = await gated('begun', 'full', 'cpu_ratio');
  expect(outcome).toBe('inconclusive');
  expect(notes.slice(0, 2)).toEqual([begun, 'rule 1 (cpu_ratio) applies to nothing']);
});

// Red before: no note said why.
test('of a run that has finished only some models, the others are named', async () => {
  const { outcome, notes } = await gated('half', 'full');
  const missing = 'study loops: org/n has no finished answer in run half yet, so nothing of it can be compared';
  expect(outcome).toBe('inconclusive');
  expect(notes).toContain(`${missing}: ${remedy('half')}`);
});

const unlisted =
  'run open has not ended yet, and the tables of its tasks and suites are written at its end: until then it is not ' +
  'known which tasks another run shares with it';

// Red before: "10 tasks of mbpp, new or changed since run full: excluded", and "loops: ... no rule applies".
test('of a run that has not ended, no tasks are said to be new, and no rule to apply to nothing', async () => {
  for (const [run, against] of [
    ['open', 'full'],
    ['full', 'open'],
  ] as const) {
    const { outcome, comparisons, notes } = await gated(run, against);
    expect([outcome, notes]).toEqual(['inconclusive', [`${unlisted}: ${remedy('open')}`]]);
    expect(comparisons.map(({ title }) => title)).toEqual(
      models.map((model) => `loops: ${model} (${against}) to ${model} (${run})`),
    );
  }
});

// Red before: "nothing to compare: no study has two models that share a task with pass_at_1".
test('compare says the same, whichever run is named first', async () => {
  const request = { metric: 'pass_at_1', byVariant: false, margin: 0, alpha: 0.05 } as const;
  const note = `${unlisted}: ${remedy('open', 'compare')}`;
  await withRuns(['open', 'full'], async (two) => {
    const found = compareOver(two, request);
    await expect(found).rejects.toThrow(`nothing to compare: ${note}`);
    await expect(found).rejects.not.toThrow(/new or changed/);
  });
  await withRuns(['full', 'open'], async (two) => {
    expect((await compareOver(two, request)).notes).toContain(note);
  });
});

async function withRuns(runs: readonly string[], see: (two: RunDatabase) => Promise<void>): Promise<void> {
  const two = await openRun(runs.map((run) => join(folder, run)));
  try {
    await see(two);
  } finally {
    two.close();
  }
}
