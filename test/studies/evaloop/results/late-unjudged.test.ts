/** EVALOOP's tables where most loops could not be judged to their end, by hand. */
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { aslRows } from '../../../../domain/metrics/asl-rows.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { attackRows } from '../../../../studies/evaloop/results/attack-rows.ts';
import { leaderboard } from '../../../../studies/evaloop/results/leaderboard.ts';
import { greedyAndSampled } from '../../../../studies/evaloop/results/reliability/greedy-and-sampled.ts';
import { loopReliabilities } from '../../../../studies/evaloop/results/reliability/loop-reliability.ts';
import { loopSurvivals } from '../../../../studies/evaloop/results/survival/loop-survival.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const maxLoops = 3;
const spec = parseSpec(
  `
name: r
models: [{ id: m, provider: simulated }, { id: n, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: s
    kind: evaloop
    benchmark: b
    settings: { judge: none, maxLoops: ${maxLoops}, sampledRuns: 1, temperatures: [0.5] }
`,
  'r.yaml',
);

type Ending = readonly [sustained: number, endedBy: string];
const survived: Ending = [maxLoops, 'survived'];
const broken: Ending = [0, 'code_failed'];
const late = (sustained: number): Ending => [sustained, 'excluded'];

/** Of 40 tasks, the first ten and the others. */
const loops = (first: Ending, others: Ending, more: Row = {}): Row[] =>
  Array.from({ length: 40 }, (_, task) => {
    const [sustained_loops, ended_by] = task < 10 ? first : others;
    return {
      ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
      ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false, similarity: null },
      ...{ sustained_loops, ended_by, ended_outcome: ended_by === 'excluded' ? 'missing_dependency' : null, ...more },
    };
  });

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function withLoops<T>(rows: readonly Row[], ask: (database: RunDatabase) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  folders.push(folder);
  await writeRun(folder, [{ table: 'loops', page: 's/m/r1p0000', rows }], { runId: 'r', spec });
  const database = await openRun(folder);
  try {
    return await ask(database);
  } finally {
    database.close();
  }
}

// Red before: the 30 that passed were left out and the 10 that failed were kept, so that pass@1 fell from 1 to 0.
test('attacks: a first answer that was judged counts, whatever comes after it', () => {
  const variants = new Map([['case', { attack: 'case', family: 'format' }]]);
  const rows = [...loops(survived, survived), ...loops(broken, late(1), { variant: 'case' })];
  const [row] = attackRows(rows, { maxLoops, seed: 1, variants });
  expect(row).toMatchObject({ n: 40, n_excluded: 0, pass_at_1_original: 1, pass_at_1: 0.75, pass_difference: -0.25 });
  expect(row).toMatchObject({ broken: 10, mended: 0 });
  // 30 tasks lose at most 3 - 1 / 3 and at least nothing, 10 lose 3; the judged ones alone say -3 (red before).
  expect(row).toMatchObject({ asl_unweighted: 0.25, asl_unweighted_original: 3 });
  expect(row?.['asl_difference']).toBeCloseTo(-2.75, 12);
  const [lo, hi] = [Number(row?.['asl_difference_lo']), Number(row?.['asl_difference_hi'])];
  expect(lo).toBeLessThanOrEqual(-(10 * 3 + 30 * (8 / 3)) / 40);
  expect(hi).toBeGreaterThanOrEqual(-0.75);
  expect(String(row?.['method'])).toContain(', with all that answers that could not be judged allow');
});

// Red before: 30 tasks that nobody could judge under the attack were in neither side: from 1 to 0, p 0.002.
test('attacks: tasks whose first answer could not be judged are in intervals and p', () => {
  const variants = new Map([['case', { attack: 'case', family: 'format' }]]);
  const rows = [...loops(survived, broken), ...loops(broken, late(0), { variant: 'case' })];
  const [row] = attackRows(rows, { maxLoops, seed: 1, variants });
  // 10 tasks fall from 1 to 0; the others failed before, and may all pass: between -1 / 4 and 1 / 2.
  expect(row).toMatchObject({ n: 10, n_excluded: 30, pass_at_1_original: 0.25, pass_difference: -0.25, p: 1 });
  expect(Number(row?.['pass_difference_hi'])).toBeGreaterThan(0.5);
  expect(Number(row?.['pass_at_1_hi'])).toBeGreaterThan(0.75);
  // Nothing is known where the reference gives no output.
  const unknowable = loops(broken, late(0), { variant: 'case' }).map((one) => ({
    ...one,
    ended_outcome: one['ended_by'] === 'excluded' ? 'not_run' : null,
  }));
  const [alone] = attackRows([...loops(survived, broken), ...unknowable], { maxLoops, seed: 1, variants });
  expect(alone).toMatchObject({ n: 10, n_excluded: 0, n_unchanged: 30, pass_difference: -1 });
  expect(Number(alone?.['p'])).toBeCloseTo(2 / 2 ** 10, 12);
});

// Red before: 0, as the other run of each task was not judged to its end.
test('a mean of several runs of a task is within what they all may be', async () => {
  const runs = (setting: string, first: Ending, second: Ending): Row[] =>
    [first, second].flatMap((ending, repetition) => loops(ending, ending, { setting, repetition }));
  const rows = [...runs('default', survived, survived), ...runs('sampled', broken, late(2))];
  const [found] = await withLoops(rows, (database) => greedyAndSampled(database, database.manifests[0] as never));
  expect(found).toMatchObject({ greedy: 3, sampled: 1, difference: -2 });
});

// Red before: the sampled runs that came far were left out: 0 loops, 3 less than greedy, p 0.002.
test('greedy and sampled: interval and p have all that runs known in part allow', async () => {
  const rows = [...loops(survived, survived), ...loops(broken, late(2), { setting: 'sampled' })];
  const [found] = await withLoops(rows, (database) => greedyAndSampled(database, database.manifests[0] as never));
  // The ten judged runs alone say 0 and -3.
  expect(found).toMatchObject({ tasks: 10, greedy: 3, sampled: 1.5, difference: -1.5, isOpen: true });
  // Between (30 * 2) / 40 and (30 * 3) / 40 loops.
  expect(found?.sampledInterval?.hi).toBeGreaterThanOrEqual(2.25);
  expect(found?.differenceInterval?.hi).toBeGreaterThanOrEqual(-0.75);
  // With them at their best, ten of 40 tasks still lose.
  expect(found?.p).toBeCloseTo(2 / 2 ** 10, 3);
  const level = [...loops(survived, survived), ...loops([3, 'survived'], late(2), { setting: 'sampled' })];
  const [same] = await withLoops(level, (database) => greedyAndSampled(database, database.manifests[0] as never));
  expect(same).toMatchObject({ difference: 0, p: 1 });
});

test('an estimate is within its interval, and survival is of all that is known', async () => {
  const rows = loops(broken, late(1));
  const [row] = aslRows(rows, { maxLoops, judge: null });
  expect(row).toMatchObject({ n: 10, n_excluded: 30, pass_at_1: 0.75, asl_unweighted: 0.25 });
  // 30 of 40 tasks sustain at least one of 3 loops; none of the ten that are known whole sustains any.
  expect(Number(row?.['asl_unweighted_lo'])).toBeLessThan(0.25);
  const [survival] = await withLoops(rows, (database) => loopSurvivals(database, database.manifests[0] as never));
  expect(survival?.curves[0]?.steps[0]?.survival).toBe(0.75);
});

// Red before: hazard 0 (0 to 0.17) and survival 1 (0.83 to 1), whatever the first answers of the others were.
test('cells of which nothing is known are in the intervals of the first loop', async () => {
  const half = [...loops(survived, survived)].map((row, task) =>
    task < 20 ? { ...row, sustained_loops: 0, ended_by: 'excluded', ended_outcome: 'missing_dependency' } : row,
  );
  const [survival] = await withLoops(half, (database) => loopSurvivals(database, database.manifests[0] as never));
  const [first] = survival?.curves[0]?.steps ?? [];
  expect(first).toMatchObject({ atRisk: 20, ended: 0, survival: 1 });
  // With them failed: 20 of 40.
  expect(first?.hazardInterval.hi).toBeGreaterThanOrEqual(0.5);
  expect(first?.interval?.lo).toBeLessThanOrEqual(0.5);
  const none = half.map((row) => (row['ended_by'] === 'excluded' ? { ...row, ended_outcome: 'not_run' } : row));
  const [known] = await withLoops(none, (database) => loopSurvivals(database, database.manifests[0] as never));
  expect(known?.curves[0]?.steps[0]?.hazardInterval.hi).toBeLessThan(0.2);
});

// Red before: places of models that `loop_ranks` gives none.
test('other settings: a model without a place is left out', async () => {
  const rows = ['default', 'temperature_0.5'].flatMap((setting) => [
    ...loops(broken, setting === 'default' ? survived : late(1), { setting }),
    ...loops(survived, survived, { setting, model: 'n' }),
  ]);
  const [found] = await withLoops(rows, async (database) =>
    loopReliabilities(database, database.manifests[0] as never, await leaderboard(database)),
  );
  expect(found?.reliability).toMatchObject({ leftOut: ['m'], models: [{ model: 'n', baselinePlace: 1 }] });
});
