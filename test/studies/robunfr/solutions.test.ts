/**
 * Two runs that hold the same program, each with its own measurements: a run's solutions have what that run measured.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { nfrSolutions } from '../../../studies/robunfr/results/solutions.ts';
import type { Row } from '../../../schemas/tables.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const page = 'watch/org-m-1/r1p0000';
const cell = {
  ...{ study: 'watch', model: 'org/m', benchmark: 'mbpp', task_id: 'MBPP/2', language: 'python' },
  ...{
    variant: 'original',
    setting: 'function-only',
    repetition: 0,
    step: 'generate',
    loop: 1,
    sample: 0,
    simulated: false,
  },
};
const million = 1_000_000;

let folder = '';
let database: RunDatabase;

/** Five repeats; in each, other processes had the core for 1 ms. */
const repeats = (wallMs: number): Row[] =>
  [1, 2, 3, 4, 5].map((repeat) => ({
    ...{ execution_id: 'e', page, repeat, end: 'completed', switches: 0, noisy: false, redone: 0 },
    ...{ cpu_ns: wallMs * million, wall_ns: (wallMs + 1) * million, waited_ns: million },
  }));

/** Over 10 µs, of which 4 are CPU time, while the kernel counts 25 µs of waiting: it began before the clock. */
const waitingRepeats: Row[] = repeats(0).map((row) => ({ ...row, cpu_ns: 4_000, wall_ns: 10_000, waited_ns: 25_000 }));

const writeMeasured = (run: string, timings: Row[], smells: number) =>
  writeRun(
    join(folder, run),
    [
      { table: 'nfr_scores', page, rows: [{ ...cell, run, dimension: 'function-only', passed: true }] },
      { table: 'verdicts', page, rows: [{ ...cell, run, suite: 'base', execution_id: 'e', outcome: 'pass' }] },
      { table: 'samples', page, rows: [{ ...cell, run, program_sha256: 'p' }] },
      { table: 'timings', page, rows: timings },
      {
        table: 'quality',
        page,
        rows: [{ program_sha256: 'p', page, loc: 4, code_smells: smells, unreadability: 2, handlers: 0, raises: 1 }],
      },
    ],
    { runId: run },
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-solutions-'));
  await writeMeasured('monday', repeats(10), 1);
  await writeMeasured('tuesday', repeats(30), 3);
  await writeMeasured('waiting', waitingRepeats, 1);
  database = await openRun(['monday', 'tuesday', 'waiting'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

test.each([
  ['monday', 10, 1],
  ['tuesday', 30, 3],
])('%s measured %i ms and %i smells', async (run, ms, smells) => {
  const solutions = await nfrSolutions(database, { run, study: 'watch', model: 'org/m' });
  expect(solutions).toMatchObject([
    {
      timing: { wallMs: ms, cpuMs: ms, passed: true },
      quality: { loc: 4, codeSmells: smells, unreadability: 2, exceptionHandling: 1 },
    },
  ]);
});

// Red before: -0.015 ms, so that intervals had their ends exchanged.
test('a program that waits longer than it is measured has its CPU time, and no time below 0', async () => {
  const [solution] = await nfrSolutions(database, { run: 'waiting', study: 'watch', model: 'org/m' });
  expect(solution?.timing).toEqual({ wallMs: 0.004, cpuMs: 0.004, passed: true });
});
