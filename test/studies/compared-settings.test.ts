/** EVALOOP in two runs with other settings: boards, cards, gates and comparisons are of the default setting. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Row } from '../../schemas/tables.ts';
import { cardsOf, currentCards } from '../../studies/cards.ts';
import { compareOver } from '../../studies/compare.ts';
import { type GateReport, gateOver } from '../../studies/gate.ts';
import { writeRun } from '../analysis/run-fixture.ts';

const specWith = (more: string) =>
  parseSpec(
    `
name: loops
seed: 7
models: [{ id: m, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: loops, kind: evaloop, benchmark: mbpp, settings: { maxLoops: 2, judge: none${more} } }]
`,
    'loops.yaml',
  );
const versions = { prompts: { evaloop: 'evaloop-1' }, extractor: '1', scorer: '1', prices: '2026-11-01' };
const tasks = Array.from({ length: 40 }, (_, index) => `MBPP/${index}`);
const warm = 'temperature_0.8';

/** By default every task but the last ten passes and sustains both loops; when it is warm, none does. */
const lasts = (setting: string, task: number): boolean => setting === 'default' && task < 30;

function cells(run: string, settings: readonly string[], ofTask: (setting: string, task: number) => Row): Row[] {
  const key = { run, study: 'loops', model: 'm', benchmark: 'mbpp', language: 'python', variant: 'original' };
  return settings.flatMap((setting) =>
    tasks.map((task_id, task) => ({
      ...{ ...key, task_id, setting, repetition: 0, simulated: false },
      ...ofTask(setting, task),
    })),
  );
}

let folder = '';
let runs: RunDatabase;
let more: RunDatabase;

async function write(run: string, settings: readonly string[]): Promise<void> {
  await writeRun(
    join(folder, run),
    [
      {
        table: 'loops',
        page: 'loops/m/r1p0000',
        rows: cells(run, settings, (setting, task) => ({
          sustained_loops: lasts(setting, task) ? 2 : 0,
          ended_by: lasts(setting, task) ? 'survived' : 'code_failed',
          similarity: null,
        })),
      },
      {
        table: 'verdicts',
        page: 'loops/m/r1p0000',
        rows: cells(run, settings, (setting, task) => ({
          ...{ loop: 1, step: 'generate', sample: 0, suite: 'base' },
          outcome: lasts(setting, task) ? 'pass' : 'wrong_output',
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
      {
        table: 'cards',
        page: 'run',
        rows: [{ run, study: 'loops', metric: 'asl_unweighted', condition: 'all', model: 'm', estimate: 0.75 }],
      },
      {
        table: 'tasks',
        page: 'run',
        rows: tasks.map((task_id) => ({ run, benchmark: 'mbpp', task_id, record_sha256: 'a' })),
      },
    ],
    {
      ...{ runId: run, versions, state: 'complete' },
      spec: specWith(settings.includes(warm) ? ', temperatures: [0.8]' : ''),
    },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-settings-'));
  await write('before', ['default']);
  await write('after', ['default', warm]);
  runs = await openRun([join(folder, 'before'), join(folder, 'after')]);
  more = await openRun(join(folder, 'after'));
});
afterAll(async () => {
  runs.close();
  more.close();
  await rm(folder, { recursive: true });
});

const gated = (...rules: readonly object[]): Promise<GateReport> =>
  gateOver(runs, { run: 'after', against: 'before' }, gatePolicySchema.parse({ rules }));

// Red before: ASL went from 1.5 to 0.75, since the warm loops of one run counted.
test('a gate and a comparison of runs with other settings are of what both have', async () => {
  const { comparisons, outcome } = await gated({ metric: 'asl_unweighted', margin: 0.5 });
  expect(comparisons[0]?.result.rules[0]?.checks).toMatchObject([
    { old: 1.5, now: 1.5, tasks: { lost: 0, gained: 0 } },
  ]);
  expect(outcome).toBe('passed');
  const found = await compareOver(runs, { byVariant: false, margin: 0, alpha: 0.05 });
  expect(
    found.comparisons.map(({ subject, standings }) => [subject.metric, standings.map(({ value }) => value)]),
  ).toEqual([
    ['asl_unweighted', [1.5, 1.5]],
    ['pass_at_1', [75, 75]],
  ]);
});

// Red before: a board and a card had the mean of both settings, next to a table of the default one.
test('a single run’s board, cards and comparison have the default setting, as the study’s own table', async () => {
  const estimates = (cards: readonly Row[]) => cards.map(({ metric, estimate }) => [metric, estimate]);
  const own = [
    ['asl_unweighted', 1.5],
    ['pass_at_1', 75],
    ['seconds_per_task', null],
    ['usd_per_solved_task', null],
  ];
  expect(estimates((await cardsOf(more)).cards)).toEqual(own);
  // Those of a complete run that an older program stored.
  expect(estimates((await currentCards(more)).cards)).toEqual(own);
});

// Red before: every study had it, without a value, and made the gate inconclusive for ever.
test('a rule on a metric that only another kind of study has says what this comparison has', async () => {
  const { comparisons, notes, outcome } = await gated({ metric: 'unreadability', margin: 5 });
  expect(outcome).toBe('inconclusive');
  expect(comparisons[0]?.result.subjects.map(({ metric }) => metric)).toEqual(['pass_at_1', 'asl_unweighted']);
  expect(notes).toContain('rule 1 (unreadability) applies to nothing: the comparison has pass_at_1, asl_unweighted');
});
