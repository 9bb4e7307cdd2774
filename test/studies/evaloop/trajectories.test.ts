import { expect, test } from 'vitest';
import { trajectoriesSchema } from '../../../schemas/trajectory.ts';
import { recordedTasks } from '../../../studies/evaloop/trajectories.ts';

const file = {
  sustained_0: [{ task_id: 'Mbpp/11', initial_prompt: 'p', cycles: [{ code_output: 'wrong' }] }],
  sustained_2: [
    {
      task_id: 3,
      initial_prompt: 'p',
      cycles: [
        { code_output: 'one', summary_output: 'Write one.' },
        { code_output: 'two', summary_output: 'Write two.' },
        { code_output: 'three', summary_output: null },
      ],
    },
  ],
};

test('tasks come in the order of their canonical ids, with what they sustained and every reply by loop', () => {
  const tasks = recordedTasks(trajectoriesSchema.parse(file));
  expect(tasks.map(({ taskId, sustained }) => [taskId, sustained])).toEqual([
    ['MBPP/3', 2],
    ['MBPP/11', 0],
  ]);
  expect(tasks[0]?.lines.map(({ step, loop, reply }) => [step, loop, reply])).toEqual([
    ['generate', 1, 'one'],
    ['summarize', 1, 'Write one.'],
    ['generate', 2, 'two'],
    ['summarize', 2, 'Write two.'],
    ['generate', 3, 'three'],
    // What follows is no recording: it ends a task that goes on where it failed before.
    ['summarize', 3, ''],
    ['generate', 4, ''],
  ]);
});

test('a file of another form is refused by its rule', () => {
  expect(() => recordedTasks({})).toThrow('no task');
  expect(() => recordedTasks(trajectoriesSchema.parse({ passed: file.sustained_0 }))).toThrow('group "passed" holds no number');
  expect(() => recordedTasks(trajectoriesSchema.parse({ ...file, '1': file.sustained_0 }))).toThrow('MBPP/11 is there twice');
  expect(trajectoriesSchema.safeParse({ '0': [{ task_id: 1 }] }).success).toBe(false);
});
