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
