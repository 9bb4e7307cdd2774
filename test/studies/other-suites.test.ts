/**
 * The same model, tasks and answers in two runs: "both" judges by suites base and plus, "base" by base alone. Every
 * program passes base, and none passes plus.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { renderMarkdown } from '../../analysis/report/text/report-markdown.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import type { Row } from '../../schemas/tables.ts';
import { cardsOf } from '../../studies/cards.ts';
import { compareOver, type CompareRequest } from '../../studies/compare.ts';
import { gateOver } from '../../studies/gate.ts';
import { collectReport } from '../../studies/report.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const taskIds = Array.from({ length: 20 }, (_, index) => `MBPP/${index + 1}`);
const versions = { prompts: {}, extractor: '1', scorer: '1', prices: '2026-11-01' };
const page = 'loops/org-m-1/r1p0000';

let folder = '';
let runs: RunDatabase;

/** @param changed how many tasks have another record */
async function write(run: string, suites: readonly string[], rule: string, changed = 0): Promise<void> {
  const isWhole = suites.includes('plus');
  const cell = (task_id: string): Row => ({
    ...{ run, study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
    simulated: false,
  });
  const each = taskIds.flatMap((task) => suites.map((suite) => ({ task, suite })));
  const task = (task_id: string): Row => ({ run, benchmark: 'mbpp', task_id, language: 'python' });
  const recordOf = (id: string, place: number): Row => ({ ...task(id), record_sha256: place < changed ? 'b' : 'a' });
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page } as const),
        rows: each.map((one) => ({
          ...cell(one.task),
          ...{ suite: one.suite, outcome: one.suite === 'base' ? 'pass' : 'wrong_output' },
        })),
      },
      {
        ...({ table: 'loops', page } as const),
        rows: taskIds.map((id) => ({
          ...cell(id),
          ...{ sustained_loops: isWhole ? 0 : 3, ended_by: isWhole ? 'code_failed' : 'survived', similarity: null },
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'org/m', simulated: false }] },
      { table: 'tasks', page: 'run', rows: taskIds.map(recordOf) },
      { table: 'suites', page: 'run', rows: each.map((one) => ({ ...task(one.task), suite: one.suite, n_cases: 1 })) },
    ],
    { runId: run, versions: { ...versions, extraction: { loops: rule } } },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-suites-'));
  await write('both', ['base', 'plus'], 'paper-1');
  await write('base', ['base'], 'paper-1');
  await write('plus', ['plus'], 'strict-1');
  await write('some', ['base'], 'paper-1', 3);
  await write('all', ['base'], 'paper-1', taskIds.length);
  runs = await openRun(['both', 'base', 'plus'].map((run) => join(folder, run)));
});
afterAll(async () => {
  runs.close();
  await rm(folder, { recursive: true });
});

const request: CompareRequest = { byVariant: false, margin: 0, alpha: 0.05 };
const named = ({ subject: { metric, suite } }: { readonly subject: { metric: string; suite: string | null } }) =>
  [metric, suite].filter((part) => part !== null).join(' ');
const gateOf = (run: string, ...rules: object[]) =>
  gateOver(runs, { run, against: 'both' }, gatePolicySchema.parse({ rules }));

const suitesText =
  '20 tasks of mbpp, judged by different suites ([base, plus] in run both; [base] in run base): compared only by ' +
  'pass@1 of a suite that these runs share, and by metrics that need no tests';

// Red before: ASL rose from 0 to 3, "better".
test('a run that drops a suite is compared by the other suite only, and not by whole programs', async () => {
  const two = await openRun(['both', 'base'].map((run) => join(folder, run)));
  const { comparisons, notes } = await compareOver(two, request);
  expect(comparisons.map(named)).toEqual(['pass_at_1 base']);
  expect(comparisons[0]?.taskIds).toHaveLength(20);
  expect(comparisons[0]?.standings.map(({ value }) => value)).toEqual([100, 100]);
  expect(notes).toContain(`study loops: ${suitesText}`);
  expect(notes).toContain('study loops, pass_at_1: suite plus did not judge org/m (base): left out');
  expect(notes.filter((text) => text.includes('could be judged'))).toEqual([]);
  two.close();
});

// Red before: passed.
test('a gate does not pass it', async () => {
  const { outcome, notes, comparisons } = await gateOf('base', { metric: 'asl_unweighted', margin: 1 });
  expect([outcome, notes.includes(suitesText)]).toEqual(['inconclusive', true]);
  expect(comparisons[0]?.result.rules[0]?.checks).toMatchObject([{ interval: null }]);
  expect((await gateOf('base', { metric: 'pass_at_1', suite: 'base', margin: 30 })).outcome).toBe('passed');
});

// Red before: 20 tasks "with answers of the new version that could not be judged".
test('a suite that a run lacks is not a matter of answers that could not be judged', async () => {
  const { notes, comparisons, outcome } = await gateOf('plus', { metric: 'pass_at_1', margin: 30 });
  const checks = comparisons.flatMap(({ result }) => result.rules.flatMap((rule) => rule.checks));
  expect(outcome).toBe('inconclusive');
  expect(checks.map(({ subject, unjudged, old }) => [subject.suite, unjudged, old])).toEqual([
    ['base', undefined, null],
    ['plus', undefined, 0],
  ]);
  expect(notes).toContain(
    'loops: org/m (both) to org/m (plus): pass_at_1 (base): this suite did not judge org/m (plus)',
  );
});

test('of three runs, those that judge a suite are compared by it', async () => {
  const { comparisons, notes } = await compareOver(runs, { ...request, metric: 'pass_at_1' });
  expect(comparisons.map((one) => [named(one), one.models.map(({ name }) => name)])).toEqual([
    ['pass_at_1 base', ['org/m (both)', 'org/m (base)']],
    ['pass_at_1 plus', ['org/m (both)', 'org/m (plus)']],
  ]);
  // Red before: only the gate said it.
  expect(notes).toContain(
    'study loops extracts code with different rules in runs both (paper-1), base (paper-1) and plus (strict-1); use ' +
      '`rescore` to judge the old replies with the new rule',
  );
});

test('cards have pass@1 of the suite that both judge, and no ASL', async () => {
  const two = await openRun(['both', 'base'].map((run) => join(folder, run)));
  const { cards } = await cardsOf(two);
  const tasks = (metric: string) => cards.filter((row) => row['metric'] === metric).map((row) => row['n_tasks']);
  // The model of run "base" has none under plus.
  expect([tasks('pass_at_1').toSorted((a, b) => Number(a) - Number(b)), tasks('asl')]).toEqual([
    [0, 20, 20, 20],
    [0, 0],
  ]);
  two.close();
});

// Red before: "The tasks are the same, with the same prompts and tests".
test('a report over both runs counts these tasks apart, and says which suites', async () => {
  const two = await openRun(['both', 'base'].map((run) => join(folder, run)));
  const report = await collectReport(two);
  expect(report.across?.tasks).toEqual([
    {
      ...{ old: 'both', now: 'base', benchmark: 'mbpp', same: 0, changed: [], otherSuites: taskIds.toSorted() },
      ...{ suiteNotes: [suitesText], onlyOld: [], onlyNow: [] },
    },
  ]);
  const markdown = renderMarkdown(report);
  expect(markdown).not.toContain('The tasks are the same');
  expect(markdown).toContain('none shows a difference');
  two.close();
});

// Red before: "20 tasks of mbpp, judged by different suites", three of which are excluded.
test('tasks whose records changed are excluded, so the note on suites does not count them', async () => {
  const text = suitesText.replace('20 tasks', '17 tasks').replaceAll('run base', 'run some');
  const two = await openRun(['both', 'some'].map((run) => join(folder, run)));
  const { comparisons, notes } = await compareOver(two, request);
  expect(comparisons.map((one) => [named(one), one.taskIds.length])).toEqual([['pass_at_1 base', 17]]);
  expect(notes.filter((note) => / tasks? /.test(note))).toEqual([
    'study loops: 3 new or changed tasks excluded',
    `study loops: ${text}`,
  ]);
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', suite: 'base', margin: 30 }] });
  const gate = await gateOver(two, { run: 'some', against: 'both' }, policy);
  expect(gate.notes).toContain('3 tasks of mbpp, new or changed since run both: excluded');
  expect(gate.notes).toContain(text);
  const report = await collectReport(two);
  expect(report.across?.tasks).toMatchObject([{ changed: { length: 3 }, suiteNotes: [text] }]);
  two.close();
});

test('there is no such note where all these tasks changed', async () => {
  const two = await openRun(['both', 'all'].map((run) => join(folder, run)));
  const report = await collectReport(two);
  expect(report.across?.tasks).toMatchObject([{ same: 0, changed: { length: 20 }, otherSuites: [], suiteNotes: [] }]);
  const thrown = await compareOver(two, request).catch(String);
  expect(thrown).toContain('20 new or changed tasks excluded');
  expect(thrown).not.toContain('judged by different suites');
  two.close();
});
