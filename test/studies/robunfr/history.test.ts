/** The history over dated runs: only tasks that are the same count, and no times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { verdictHistory } from '../../../studies/robunfr/results/history.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const page = 'nfr/m-1/r1p0000';
const taskIds = ['MBPP/2', 'MBPP/3', 'MBPP/4', 'MBPP/5'];
const million = 1_000_000;

const spec = parseSpec(
  `
name: nfr
models: [{ id: m, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: nfr, kind: robunfr-prompts, benchmark: mbpp, settings: { dimensions: [reliability] } }
`,
  'nfr.yaml',
);

let folder = '';

/** Every program passes suite base and fails plus, but for the first task: its tests change, and then none passes. */
async function write(run: string, createdAt: string, suites: readonly string[], record: string): Promise<void> {
  const cell = (task_id: string): Row => ({
    ...{ run, study: 'nfr', model: 'm', benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
    ...{ setting: 'function-only', repetition: 0, step: 'generate', loop: 1, sample: 0, simulated: false },
  });
  const outcome = (task: string, suite: string): string =>
    suite === 'base' && (task !== 'MBPP/2' || record === 'a') ? 'pass' : 'wrong_output';
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'nfr_scores', page } as const),
        rows: taskIds.map((id) => ({ ...cell(id), dimension: 'function-only', passed: !suites.includes('plus') })),
      },
      {
        ...({ table: 'verdicts', page } as const),
        rows: taskIds.flatMap((id) =>
          suites.map((suite) => ({ ...cell(id), suite, execution_id: id, outcome: outcome(id, suite) })),
        ),
      },
      {
        ...({ table: 'timings', page } as const),
        rows: taskIds.map((id) => ({
          ...{ execution_id: id, page, repeat: 1, end: 'completed', switches: 0, noisy: false, redone: 0 },
          ...{ cpu_ns: million, wall_ns: million, waited_ns: 0 },
        })),
      },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: taskIds.map((task_id) => ({
          ...{ run, benchmark: 'mbpp', task_id, language: 'python' },
          record_sha256: task_id === 'MBPP/2' ? record : 'same',
        })),
      },
      {
        ...({ table: 'suites', page: 'run' } as const),
        rows: taskIds.flatMap((task_id) =>
          suites.map((suite) => ({ run, benchmark: 'mbpp', task_id, language: 'python', suite, n_cases: 1 })),
        ),
      },
    ],
    { runId: run, createdAt, spec },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-history-'));
  await write('first', '2026-11-20T20:00:00.000Z', ['base'], 'a');
  await write('second', '2026-11-21T20:00:00.000Z', ['base'], 'b');
  await write('third', '2026-11-22T20:00:00.000Z', ['base', 'plus'], 'b');
});
afterAll(() => rm(folder, { recursive: true }));

const historyOf = async (...runs: string[]) => {
  const database = await openRun(runs.map((run) => join(folder, run)));
  const steps = await verdictHistory(database);
  database.close();
  return steps.map(({ metric, suite, oldMean, newMean }) => [metric, suite, oldMean, newMean]);
};

// Red before: pass@1 fell from 100 to 75.
test('a task whose tests changed between two runs is not compared', async () => {
  const steps = await historyOf('first', 'second');
  expect(steps.filter(([metric]) => metric === 'pass_at_1')).toEqual([['pass_at_1', 'base', 100, 100]]);
});

test('under other suites only pass@1 of the suite that both have is compared', async () => {
  expect(await historyOf('second', 'third')).toEqual([['pass_at_1', 'base', 75, 75]]);
});
