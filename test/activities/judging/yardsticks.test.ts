/** With a task's programs its reference is timed, in the same call. */
import { expect, test } from 'vitest';
import { taskBatches, timeTasks, yardstickOf } from '../../../activities/judging/yardsticks.ts';
import type { TimingJob } from '../../../activities/sandboxes/sandbox.ts';
import type { ReferenceRecord } from '../../../activities/storage/ledger/records.ts';
import type { ProgramTiming } from '../../../schemas/program.ts';
import type { Suite, Task } from '../../../schemas/task.ts';

const suite: Suite = { name: 'base', inputs: [[1], [2]], expected: [2, 3], oracle: { rule: 'equal' } };
const task: Task = {
  ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'p', entryPoint: 'f' },
  ...{ reference: 'def f(x): return x + 1', suites: [suite], recordSha256: 'a'.repeat(64) },
};

const recordOf = (more: Partial<ReferenceRecord> = {}): ReferenceRecord => ({
  ...{ key: 'k', outcome: 'pass', firstFailingCase: null, outputs: suite.inputs.map(() => '1') },
  ...{ caseMs: suite.inputs.map(() => 2000), ...more },
});

test("the yardstick of a task is its reference, on the same cases, with the programs' limits", () => {
  const { program, limits } = yardstickOf(task, suite, recordOf());
  expect(program).toMatchObject({ source: task.reference, entryPoint: task.entryPoint });
  expect(program.inputs).toHaveLength(suite.inputs.length);
  // Twice the reference.
  expect(limits.caseTimeoutMs).toEqual(suite.inputs.map(() => 4000));
  expect(yardstickOf(task, suite, recordOf({ outcome: 'exception' })).program.source).toBe(task.reference);
});

test.each([
  ['is missing', { ...task, reference: '' }, recordOf({ outcome: 'not_run', caseMs: [] })],
  ['is stopped by a limit', task, recordOf({ outcome: 'cpu_timeout' })],
  ['takes more than 10 s', task, recordOf({ caseMs: [6000, 4001] })],
])('where the reference %s, it is a program that is the same for all tasks', (_, of, record) => {
  const { program } = yardstickOf(of, suite, record);
  expect(program).toMatchObject({ entryPoint: 'yardstick', inputs: ['[]'] });
  expect(program.source).toContain('def yardstick():');
});

test('the programs of a task stay in one batch, of about as many as are asked for', () => {
  const taskOf = (name: string): string => name.slice(0, 1);
  const programs = ['a1', 'b1', 'a2', 'c1', 'c2', 'c3', 'c4', 'd1', 'b2', 'e1'];
  expect(taskBatches(programs, taskOf, 3)).toEqual([
    [['a1', 'a2']],
    [['b1', 'b2']],
    [['c1', 'c2', 'c3', 'c4']],
    [['d1'], ['e1']],
  ]);
  expect(taskBatches(programs, taskOf, 100)).toHaveLength(1);
  expect(taskBatches([], taskOf, 3)).toEqual([]);
});

const jobOf = (source: string): TimingJob => {
  const { program, limits } = yardstickOf(task, suite, recordOf());
  return { program: { ...program, source }, limits };
};
const timingOf = (cpuNs: number): ProgramTiming => {
  const repeat = { cpuNs, wallNs: 2 * cpuNs, switches: 0, waitedNs: 0, isNoisy: false };
  return { end: 'completed', detail: null, repeats: cpuNs === 0 ? [] : [repeat], redone: 0, core: null };
};

// Red before: a call had the programs alone.
test('one call times the yardstick of each task before its programs, and each program gets its repeats', async () => {
  const calls: string[][] = [];
  const time = (jobs: readonly TimingJob[]): Promise<ProgramTiming[]> => {
    calls.push(jobs.map(({ program }) => program.source));
    return Promise.resolve(jobs.map(({ program }) => timingOf(program.source.length)));
  };
  const found = await timeTasks(time, [
    { yardstick: jobOf('y'), jobs: [jobOf('aa'), jobOf('aaa')] },
    { yardstick: jobOf(''), jobs: [jobOf('bbbb')] },
  ]);
  expect(calls).toEqual([['y', 'aa', 'aaa', '', 'bbbb']]);
  expect(found).toEqual([
    [
      { ...timingOf(2), yardstick: timingOf(1).repeats },
      { ...timingOf(3), yardstick: timingOf(1).repeats },
    ],
    // Its yardstick has no time.
    [timingOf(4)],
  ]);
});
