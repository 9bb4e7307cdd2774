import { expect, test } from 'vitest';
import { withRuledSuites } from '../../../domain/benchmarks/format.ts';
import { type Changes, holdsUnder, rescoredTasks } from '../../../activities/rescoring/rescored-tasks.ts';
import { usualJudging } from '../../../activities/judging/execution-key.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import type { JudgingRule, Suite, Task } from '../../../schemas/task.ts';

const suite = (judging: Partial<JudgingRule>): Suite =>
  ({ name: 'base', inputs: [], judging: { ...usualJudging, ...judging } }) as unknown as Suite;
const usual = suite({});

test.each([
  ['a pass under a longer limit', 'pass', suite({ caseLimitMs: 4000 }), true],
  ['a time-out under a longer limit', 'cpu_timeout', suite({ caseLimitMs: 4000 }), false],
  ['a wall time-out under a larger factor', 'wall_timeout', suite({ referenceFactor: 3 }), false],
  ['a wrong output under a larger factor', 'wrong_output', suite({ referenceFactor: 3 }), true],
  ['a pass under a shorter limit', 'pass', suite({ caseLimitMs: 500 }), false],
  ['a pass under a longer limit and a smaller factor', 'pass', suite({ caseLimitMs: 4000, referenceFactor: 1 }), false],
  ['a pass under another rule for packages', 'pass', suite({ missingPackage: 'failed' }), false],
  ['a time-out under the same rule', 'cpu_timeout', usual, true],
] as const)('%s', (_what, outcome, now, holds) => expect(holdsUnder({ outcome }, usual, now)).toBe(holds));

const { judging: _usual, ...base } = usual;
const task = { taskId: 't', recordSha256: 'whole', suites: [base, { ...base, name: 'plus' }] } as unknown as Task;
async function rescored(of: Task, changes: Partial<Changes>): Promise<Task | undefined> {
  const run = { spec: { benchmarks: { b: {} } }, tasks: () => new Map([['t', of]]) } as unknown as Run;
  const { tasks } = await rescoredTasks(run, { extraction: null, judging: {}, suites: null, ...changes });
  return tasks.get('b')?.[0];
}

// Red before: its hash was made of the suites that it kept, and every task counted as changed.
test('a task that keeps fewer suites has its hash, as in a run whose spec names these suites', async () => {
  expect(await rescored(task, { suites: ['base'] })).toEqual({ ...task, suites: [base] });
});

test('a task under another rule has the hash of a run whose spec states it, and the hash without it', async () => {
  const judging = { ...usualJudging, missingPackage: 'failed' } as const;
  const now = await rescored(task, { judging: { missingPackage: 'failed' } });
  const ruled = task.suites.map((one) => ({ ...one, judging }));
  expect(now).toEqual(withRuledSuites(task, ruled));
  expect([now?.plainSha256, now?.recordSha256 === 'whole']).toEqual(['whole', false]);
  const fewer = await rescored(now as Task, { suites: ['base'] });
  expect([fewer?.plainSha256, fewer?.recordSha256 === now?.recordSha256]).toEqual(['whole', false]);
});
