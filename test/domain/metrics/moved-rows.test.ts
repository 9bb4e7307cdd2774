import { expect, test } from 'vitest';
import { movedRows } from '../../../domain/metrics/moved-rows.ts';

const verdict = (taskId: string, outcome: string, loop = 1) => ({
  ...{
    run: 'old',
    study: 's',
    model: 'm',
    benchmark: 'b',
    task_id: taskId,
    language: 'python',
    variant: 'original',
    setting: 'default',
  },
  ...{ repetition: 0, loop, step: 'generate', sample: 0, suite: 'base', outcome, simulated: false },
});

test('only differing verdicts have rows, with how they moved, in key order, under the id of the new run', () => {
  const before = [
    verdict('A', 'pass'),
    verdict('B', 'pass'),
    verdict('C', 'no_code'),
    verdict('D', 'exception'),
    verdict('B', 'pass', 2),
  ];
  const now = [
    verdict('D', 'pass'),
    verdict('C', 'wrong_output'),
    verdict('B', 'exception'),
    verdict('A', 'pass'),
    verdict('D', 'pass', 2),
  ];
  const moved = movedRows('new', before, now);
  expect(
    moved.map(({ run, task_id: task, loop, before: was, now: is, moved: how }) => [run, task, loop, was, is, how]),
  ).toEqual([
    ['new', 'B', 1, 'pass', 'exception', 'no_longer_pass'],
    ['new', 'B', 2, 'pass', null, 'only_before'],
    ['new', 'C', 1, 'no_code', 'wrong_output', 'other_outcome'],
    ['new', 'D', 1, 'exception', 'pass', 'now_pass'],
    ['new', 'D', 2, null, 'pass', 'only_now'],
  ]);
});
