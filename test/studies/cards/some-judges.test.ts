/** Cards over two runs of which one has a judge: ASL where it is known, and why not elsewhere. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import type { Row } from '../../../schemas/tables.ts';
import { cardTables } from '../../../studies/cards.ts';
import { writeRun } from '../../analysis/run-fixture.ts';
import { plainLoops } from '../../support/loop-settings.ts';

const tasks = Array.from({ length: 10 }, (_, task) => `MBPP/${task}`);

/** Every task breaks after one of two loops, with similarity 0.5. */
async function write(folder: string, run: string, judge: string): Promise<void> {
  const page = 'loops/m-1/r1p0000';
  const cell = (task: string): Row => ({
    ...{ run, study: 'loops', model: 'm', benchmark: 'mbpp', task_id: task, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false },
  });
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'verdicts', page } as const),
        rows: tasks.map((task) => ({
          ...{ ...cell(task), loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
        })),
      },
      {
        ...({ table: 'loops', page } as const),
        rows: tasks.map((task) => ({
          ...{ ...cell(task), sustained_loops: 1, ended_by: 'code_failed' },
          similarity: judge === 'none' ? null : 0.5,
        })),
      },
      { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
      {
        ...{ table: 'tasks', page: 'run' },
        rows: tasks.map((task) => ({
          ...{ run, benchmark: 'mbpp', task_id: task, language: 'python', record_sha256: 'a' },
        })),
      },
    ],
    {
      runId: run,
      spec: {
        ...{ name: run, seed: 7, providers: {}, reuse: [], benchmarks: {} },
        models: [{ id: 'm', provider: 'oai', strictVersion: false, study: true }],
        studies: [
          {
            ...{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', repetitions: 1 },
            settings: { ...plainLoops, maxLoops: 2, judge },
          },
        ],
      },
    },
  );
}

/** By run: ASL, and ASL with s = 1, each with its reason. */
async function aslOf(judges: Readonly<Record<string, string>>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-judges-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [run, judge] of Object.entries(judges)) await write(folder, run, judge);
  const database = await openRun(Object.keys(judges).map((run) => join(folder, run)));
  const { cards } = await cardTables(database);
  database.close();
  return cards
    .filter((row) => String(row['metric']).startsWith('asl'))
    .map((row) => `${String(row['metric'])} ${String(row['run'])}: ${String(row['estimate'] ?? row['reason'])}`)
    .toSorted();
}

// Red before: no row of ASL at all. i² s / M with i = 1, M = 2: s is (i - 1 + 0.5) / i = 0.5 with the judge, else 1.
test('ASL is shown of the run that has a judge, and both are compared with s = 1', async () => {
  expect(await aslOf({ judged: 'j', plain: 'none' })).toEqual([
    'asl judged: 0.25',
    'asl plain: its run has no judge',
    'asl_unweighted judged: 0.5',
    'asl_unweighted plain: 0.5',
  ]);
});

test('scores of different judges are not compared', async () => {
  expect(await aslOf({ one: 'j', two: 'k' })).toEqual([
    'asl one: other runs have other judges',
    'asl two: other runs have other judges',
    'asl_unweighted one: 0.5',
    'asl_unweighted two: 0.5',
  ]);
});
