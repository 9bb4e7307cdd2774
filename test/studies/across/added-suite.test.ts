/** The same problems in runs whose benchmark files name other suites, so that no record has the same hash. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { adviceOf } from '../../../domain/gate/advice.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import type { Row } from '../../../schemas/tables.ts';
import { type CompareRequest, compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { collectReport } from '../../../studies/report.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
const page = 'loops/org-m-1/r1p0000';
const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05, metric: 'pass_at_1' };
let folder = '';

interface Written {
  /** Hashes of the tests of each suite. */
  readonly suites: Readonly<Record<string, string>>;
  /** Tasks, from the first, whose problem is another one, and whose suite base has other tests. */
  readonly problems?: number;
  readonly tests?: number;
  /** As the rows of an older program. */
  readonly isOld?: boolean;
}

/** All programs pass base and plus; those for the last five tasks fail each other suite. */
async function write(run: string, { suites, problems = 0, tests = 0, isOld = false }: Written): Promise<void> {
  const cell = { run, benchmark: 'mbpp', language: 'python' };
  const each = taskIds.flatMap((task_id, place) =>
    Object.entries(suites).map(([suite, hash]) => ({ task_id, place, suite, hash })),
  );
  const verdict = ({ task_id, place, suite }: (typeof each)[number]): Row => ({
    ...{ ...cell, study: 'loops', model: 'org/m', task_id, variant: 'original', setting: 'default', repetition: 0 },
    ...{ loop: 1, step: 'generate', sample: 0, suite, simulated: false },
    outcome: place < 15 || suite === 'base' || suite === 'plus' ? 'pass' : 'wrong_output',
  });
  const task = (task_id: string, place: number): Row => ({
    ...{ ...cell, task_id, record_sha256: `${run} ${place}`, plain_sha256: null },
    problem_sha256: place < problems ? `other ${place}` : `problem ${place}`,
  });
  const suiteRow = ({ task_id, place, suite, hash }: (typeof each)[number]): Row => ({
    ...{ ...cell, task_id, suite, n_cases: 1 },
    tests_sha256: suite === 'base' && place < tests ? 'other tests' : hash,
  });
  const without = isOld ? ['problem_sha256', 'tests_sha256'] : [];
  await writeRun(
    join(folder, run),
    [
      { table: 'verdicts', page, rows: each.map(verdict) },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      { table: 'tasks', page: 'run', rows: taskIds.map(task), without },
      { table: 'suites', page: 'run', rows: each.map(suiteRow), without },
    ],
    { ...emptyManifest, runId: run },
  );
}

const usual = { base: 'b', plus: 'p' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-added-'));
  await write('first', { suites: usual });
  await write('more', { suites: { ...usual, extra: 'e' } });
  await write('other', { suites: { ...usual, extra: 'f' } });
  await write('filtered', { suites: usual });
  await write('edited', { suites: { ...usual, extra: 'e' }, problems: 3, tests: 5 });
  await write('apart', { suites: { extra: 'e' } });
  await write('old', { suites: { ...usual, extra: 'e' }, isOld: true });
  await write('older', { suites: usual, isOld: true });
});
afterAll(() => rm(folder, { recursive: true }));

const opened = (...runs: string[]) => openRun(runs.map((run) => join(folder, run)));

async function comparedIn(...runs: string[]) {
  const database = await opened(...runs);
  const { comparisons, notes } = await compareOver(database, request);
  database.close();
  const counts = comparisons.map(({ subject, taskIds: tasks, standings }) => [
    ...[subject.suite, tasks.length],
    ...standings.map(({ value }) => value),
  ]);
  return { counts, notes };
}

const suitesText =
  '20 tasks of mbpp, judged by different suites ([base, plus] in run first; [base, extra, plus] in run more): ' +
  'compared only by pass@1 of a suite that these runs share, and by metrics that need no tests';

// Red before: "20 new or changed tasks excluded", so that there was nothing to compare.
test('runs are compared by the suites that they share if one has a suite more', async () => {
  const { counts, notes } = await comparedIn('first', 'more');
  expect(counts).toEqual([
    ['base', 20, 100, 100],
    ['plus', 20, 100, 100],
  ]);
  expect(notes).toContain(`study loops: ${suitesText}`);
  expect(notes.filter((note) => note.includes('changed'))).toEqual([]);
});

// Red before: inconclusive.
test('a gate decides by the suites that both runs have', async () => {
  const database = await opened('first', 'more');
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', suite: 'base', margin: 30 }] });
  const gate = await gateOver(database, { run: 'more', against: 'first' }, policy);
  expect([gate.outcome, gate.notes.includes(suitesText)]).toEqual(['passed', true]);
  const report = await collectReport(database);
  expect(report.across?.tasks).toMatchObject([{ same: 0, changed: [], otherSuites: { length: 20 } }]);
  database.close();
});

// Red before: "see that both runs measured it on the same tasks, or leave this out of the policy".
test('a rule that names no suite says how the run that lacks one is judged by it', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 40 }] });
  for (const [run, against] of [
    ['more', 'first'],
    ['first', 'more'],
  ] as const) {
    const database = await opened('first', 'more');
    const { outcome, comparisons } = await gateOver(database, { run, against }, policy);
    const checks = comparisons[0]?.result.rules[0]?.checks ?? [];
    expect(outcome).toBe('inconclusive');
    expect(checks.map((check) => [check.subject.suite, check.outcome, check.interval && adviceOf(check)])).toEqual([
      ['base', 'passed', null],
      ['extra', 'inconclusive', null],
      ['plus', 'passed', null],
    ]);
    expect(checks.flatMap((check) => (check.interval === null ? [adviceOf(check)] : []))).toEqual([
      'suite extra did not judge run first, so nothing could be compared: `rescore first --suites ' +
        'SUITES,extra=FORMAT:FILE`, where SUITES are its own ones, judges its answers again by this suite too; ' +
        'compare with the run that this makes',
    ]);
    database.close();
  }
});

// Red before: 20 tasks were changed.
test('tasks of which the same suites are used are the same, whatever their files name', async () => {
  expect((await comparedIn('first', 'filtered')).counts).toEqual([
    ['base', 20, 100, 100],
    ['plus', 20, 100, 100],
  ]);
  const database = await opened('first', 'filtered');
  const report = await collectReport(database);
  expect(report.across?.tasks).toMatchObject([{ same: 20, changed: [], otherSuites: [] }]);
  database.close();
});

// Red without the comparison of the shared suites' hashes (20 tasks) and of the problems' (17).
test('a task with another problem, or other tests in a suite that both have, is changed', async () => {
  const { counts, notes } = await comparedIn('first', 'edited');
  expect(counts).toEqual([
    ['base', 15, 100, 100],
    ['plus', 15, 100, 100],
  ]);
  expect(notes).toContain('study loops: 5 new or changed tasks excluded');
  await write('prompts', { suites: { ...usual, extra: 'e' }, problems: 3 });
  expect((await comparedIn('first', 'prompts')).counts).toEqual([
    ['base', 17, 100, 100],
    ['plus', 17, 100, 100],
  ]);
});

// Red without the comparison of the two later runs with each other: 20 tasks were compared by suite extra.
test('of three runs, two with other tests in a suite that the first lacks are not compared', async () => {
  const { counts } = await comparedIn('first', 'more', 'filtered');
  expect(counts).toEqual([
    ['base', 20, 100, 100, 100],
    ['plus', 20, 100, 100, 100],
  ]);
  await expect(comparedIn('first', 'more', 'other')).rejects.toThrow('20 new or changed tasks excluded');
});

test.each([
  ['first', 'apart'],
  ['first', 'old'],
  ['older', 'old'],
])('runs with no suite or hash in common have other tasks: %s, %s', async (...runs) => {
  await expect(comparedIn(...runs)).rejects.toThrow('20 new or changed tasks excluded');
});
