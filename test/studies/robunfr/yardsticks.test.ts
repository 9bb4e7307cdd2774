/** Equal programs of two models, of which one was timed while the machine was busier. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { compareOver } from '../../../studies/compare.ts';
import { nfrSolutions } from '../../../studies/robunfr/results/solutions.ts';
import { robunfrTables } from '../../../studies/robunfr/results/tables.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const ms = 1e6;
const models = ['calm', 'busy', 'slow'] as const;
const tasks = Array.from({ length: 12 }, (_, index) => `MBPP/${index}`);
const specOf = (name: string) =>
  parseSpec(
    `
name: ${name}
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: nfr, kind: robunfr-regression, benchmark: mbpp,
      settings: { dimensions: [reliability], pairs: [[calm, busy], [calm, slow]] } }
`,
    `${name}.yaml`,
  );

/** While model busy was timed, all took 1.44 times as long; programs of model slow take twice as long. */
const machine = { calm: 1, busy: 1.44, slow: 1.44 };
const work = { calm: 1, busy: 1, slow: 2 };

const programRow = (model: (typeof models)[number], place: number, hasYardstick: boolean): Row => {
  const factor = machine[model];
  const ns = factor * work[model] * (10 + place) * ms;
  const yardstick = { yardstick_cpu_ns: factor * 5 * ms, yardstick_wall_ns: factor * 6 * ms };
  return {
    ...{ execution_id: `${model} ${place}`, repeat: 1, end: 'completed', switches: 0, noisy: false, redone: 0 },
    ...{ cpu_ns: ns, wall_ns: ns, waited_ns: 0 },
    ...(hasYardstick ? yardstick : { yardstick_cpu_ns: null, yardstick_wall_ns: null }),
  };
};

type Has = (model: string, place: number) => boolean;

async function write(folder: string, run: string, hasYardstick: Has): Promise<RunDatabase> {
  const page = 'nfr/m/r1p0000';
  const cells = models.flatMap((model) => tasks.map((task_id, place) => ({ model, task_id, place })));
  const cellOf = ({ model, task_id, place }: (typeof cells)[number]): Row => ({
    ...{ run, study: 'nfr', model, benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
    ...{ setting: 'function-only', repetition: 0, simulated: false, step: 'generate' },
    ...{ loop: 1, sample: 0, suite: 'base', outcome: 'pass', execution_id: `${model} ${place}` },
  });
  const scores = { dimension: 'function-only', phrasing: null, passed: true };
  await writeRun(
    join(folder, run),
    [
      { table: 'verdicts', page, rows: cells.map(cellOf) },
      { table: 'nfr_scores', page, rows: cells.map((cell) => ({ ...cellOf(cell), ...scores })) },
      {
        ...{ table: 'timings', page },
        rows: cells.map(({ model, place }) => ({ ...programRow(model, place, hasYardstick(model, place)), page })),
      },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
    ],
    { runId: run, spec: specOf(run) },
  );
  return await openRun(join(folder, run));
}

let folder = '';
const runs = new Map<string, RunDatabase>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-yardsticks-'));
  const has: Record<string, Has> = {
    now: () => true,
    older: () => false,
    // Model calm was timed by an older program, but for its last two tasks.
    mixed: (model, place) => model !== 'calm' || place >= 10,
    extended: (model) => model !== 'calm',
  };
  for (const [run, of] of Object.entries(has)) runs.set(run, await write(folder, run, of));
});
afterAll(async () => {
  for (const database of runs.values()) database.close();
  await rm(folder, { recursive: true });
});

const opened = (run: string): RunDatabase => runs.get(run) as RunDatabase;

/** Verdict, ratio and tasks of a new version in processor time. */
async function regressionOf(run: string, model: string) {
  const row = await rowOf(run, model);
  return [row?.['verdict'], row?.['ratio'] ?? null, row?.['n_ratio'] ?? null];
}

async function rowOf(run: string, model: string): Promise<Row | undefined> {
  const database = opened(run);
  const [manifest] = database.manifests;
  if (manifest === undefined) throw new Error('no run');
  const { regression } = await robunfrTables(database, manifest);
  return regression.find((one) => one['model'] === model && one['metric'] === 'cpu_ms');
}

test('times are in units of the yardstick, whose unit is the geometric mean of its times in the run', async () => {
  const solutions = await nfrSolutions(opened('now'), { run: 'now', study: 'nfr', model: 'busy' });
  // The yardstick of each task took 5, 7.2 and 7.2 ms: 5 x 1.44^(2/3) by geometric mean. So it is with wall times.
  const unit = 1.44 ** (2 / 3);
  expect(solutions.map(({ timing }) => timing)).toEqual(
    // As nfrSolutions orders tasks: by name.
    tasks.toSorted().map((task) => {
      const time = (10 + Number(task.slice('MBPP/'.length))) * unit;
      return {
        ...{ wallMs: expect.closeTo(time, 9), cpuMs: expect.closeTo(time, 9) },
        ...{ passed: true, byYardstick: true },
      };
    }),
  );
});

// Red before: worse, 1.44 times as long with p = 1/2048, and 2.88 times.
test('a machine that was busier for one model makes it no slower, and what is slower is found', async () => {
  expect(await regressionOf('now', 'busy')).toEqual(['inconclusive', expect.closeTo(1, 12), 12]);
  expect(await regressionOf('now', 'slow')).toEqual(['worse', expect.closeTo(2, 12), 12]);
});

// Red before: 31 % apart, p = 1/2048.
test('a comparison of models finds the same', async () => {
  const request = { byVariant: false, margin: 0, alpha: 0.05, metric: 'cpu_ratio' } as const;
  const { comparisons } = await compareOver(opened('now'), { ...request, models: ['calm', 'busy'] });
  expect(comparisons).toMatchObject([{ pairs: [{ p: 1, difference: 0, verdict: 'inconclusive' }] }]);
  const slow = await compareOver(opened('now'), { ...request, models: ['busy', 'slow'] });
  expect(slow.comparisons).toMatchObject([
    { pairs: [{ p: 2 / 2 ** 12, difference: expect.closeTo(-50, 9), better: 12 }] },
  ]);
});

test('a run of an older program, without any yardstick, is read as before', async () => {
  expect(await regressionOf('older', 'busy')).toEqual(['worse', expect.closeTo(1.44, 9), 12]);
  const [solution] = await nfrSolutions(opened('older'), { run: 'older', study: 'nfr', model: 'busy' });
  expect(solution?.timing).toEqual({ wallMs: expect.closeTo(14.4, 9), cpuMs: expect.closeTo(14.4, 9), passed: true });
});

test('a program with a yardstick is not compared with one without', async () => {
  expect(await regressionOf('mixed', 'slow')).toEqual(['inconclusive', expect.closeTo(2, 12), 2]);
  expect(await rowOf('extended', 'slow')).toMatchObject({
    ...{ difference: null, verdict: 'inconclusive', ratio: null },
    reason: 'of no task both versions were timed with a yardstick, or both without one (by an older program)',
  });
});
