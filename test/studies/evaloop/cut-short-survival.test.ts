import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import type { Row } from '../../../schemas/tables.ts';
import { loopSurvivals } from '../../../studies/evaloop/results/survival/loop-survival.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

/** Of 20 tasks 8 fail at once, 10 pass the first loop and cannot be judged in the second, and 2 sustain all 3 loops. */
const loops = Array.from({ length: 20 }, (_, task): Row => {
  const [sustained_loops, ended_by] = task < 8 ? [0, 'code_failed'] : task < 18 ? [1, 'excluded'] : [3, 'survived'];
  return {
    ...{ run: 'r', study: 'loops', model: 'm', benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false, similarity: null },
    ...{ sustained_loops, ended_by },
  };
});

// Red before: the ten were in no loop, so that 8 of 10 tasks failed in the first one.
test('a loop that could not be judged is known to have been reached', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-survival-'));
  const manifest = await writeRun(folder, [{ table: 'loops', page: 'loops/m/r1p0000', rows: loops }], { runId: 'r' });
  const database = await openRun(folder);
  const [found] = await loopSurvivals(database, manifest);
  const steps = found?.curves[0]?.steps.map(({ atRisk, ended }) => [atRisk, ended]);
  expect(steps?.slice(0, 2)).toEqual([
    [20, 8],
    [2, 0],
  ]);
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: p 7.6e-6, although the loops that were not asked may end alike under both; or "each task ended alike".
test.each(['not_asked', 'excluded'])('models of which too many loops are open are not tested: %s', async (ending) => {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-survival-'));
  const of = (model: string, task: number, sustained_loops: number, ended_by: string): Row => ({
    ...loops[0],
    ...{ model, task_id: `MBPP/${task}`, sustained_loops, ended_by },
  });
  const tasks = Array.from({ length: 24 }, (_, task) => task);
  const rows = [
    ...tasks.map((task) => of('open', task, 1, task < 18 ? ending : 'code_failed')),
    ...tasks.map((task) => of('right', task, task < 18 ? 3 : 1, task < 18 ? 'survived' : 'code_failed')),
    ...tasks.map((task) => of('short', task, 1, 'code_failed')),
  ];
  const manifest = await writeRun(folder, [{ table: 'loops', page: 'loops/m/r1p0000', rows }], { runId: 'r' });
  const database = await openRun(folder);
  const [found] = await loopSurvivals(database, manifest);
  const shown = found?.tests.map(({ models, test: { p, reason } }) => [models.join(), p === null, reason]);
  const why = expect.stringMatching(/^open: 18 of 24 cells could not be judged.*, more than 1 %$/);
  expect(shown).toEqual([
    ['open,right', true, why],
    ['open,short', true, why],
    ['right,short', false, null],
  ]);
  database.close();
  await rm(folder, { recursive: true });
});
