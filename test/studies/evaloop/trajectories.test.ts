import { describe, expect, test } from 'vitest';
import { trajectoriesSchema } from '../../../schemas/trajectory.ts';
import { parseTrajectories, recordedTasks } from '../../../studies/evaloop/trajectories.ts';

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
const read = (value: unknown) => recordedTasks(trajectoriesSchema.parse(value));

test('tasks come in the order of their canonical ids, with what they sustained and every reply by loop', () => {
  const tasks = read(file);
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
    // What follows is not recorded: it ends a task that now continues where it failed before.
    ['summarize', 3, ''],
    ['generate', 4, ''],
  ]);
});

// Red before: "2:1  not valid JSON".
test('a file of lines is told which format it needs', () => {
  const lines = '{"task_id":"T/1","solution":"x"}\n{"task_id":"T/2","solution":"x"}\n';
  expect(() => parseTrajectories(lines, 'a.jsonl')).toThrow(/a\.jsonl {2}.* JSON lines: .* --format samples/);
  expect(parseTrajectories(`${JSON.stringify(file, null, 1)}\n`, 'a.json')).toHaveLength(2);
});

test('what the authors recorded is marked as taken from a reply; what follows their recording is not', () => {
  const lines = read(file)[0]?.lines ?? [];
  expect(lines.map(({ extracted }) => extracted ?? false)).toEqual([true, true, true, true, true, true, false]);
});

describe('the next prompt, which the authors record in place of the summary', () => {
  const prompt = '"""\nWrite a function to add.\nassert add(1) == 2\n"""\n';
  const summaryIn = (summary_output: string): string | undefined =>
    read({ 0: [{ task_id: 'Mbpp/2', initial_prompt: prompt, cycles: [{ code_output: 'c', summary_output }] }] })[0]
      ?.lines[1]?.reply;

  test('gives the model’s own words, one line or several', () => {
    expect(summaryIn('"""\nwrite a python function to add one\nassert add(1) == 2\n"""\n')).toBe(
      'write a python function to add one',
    );
    expect(summaryIn('"""\nIt adds.\n\nOne, that is.\nassert add(1) == 2\n"""\n')).toBe('It adds.\n\nOne, that is.');
  });

  test.each([
    'Write it.',
    '"""\nWrite it.\nassert other(1) == 2\n"""\n',
    '"""\nassert add(1) == 2\n"""\n',
    '"""\n\nassert add(1) == 2\n"""\n',
    '',
  ])('is left unchanged if it has another form, or is empty although the recording continues: %j', (text) => {
    expect(summaryIn(text)).toBe(text);
  });
});

describe('a file with another format', () => {
  test.each([
    ['no group', {}, 'it holds no tasks'],
    ['empty groups', { 0: [], 10: [] }, 'it holds no tasks'],
    ['a group without a number', { passed: file.sustained_0 }, 'group "passed" has no number'],
    [
      'a task in two groups',
      { ...file, '1': [{ task_id: 'MBPP/11', cycles: [{ code_output: 'c' }] }] },
      'duplicate task MBPP/11',
    ],
    [
      'fewer loops than its group says',
      { 2: [{ task_id: 1, cycles: [{ code_output: 'c' }] }] },
      'MBPP/1 is in the group of 2 sustained loops, but only 1 are recorded',
    ],
    [
      'another count than its group says',
      { 0: [{ task_id: 1, cycles: [], successful_cycles: 3 }] },
      'MBPP/1 is in the group of 0 sustained loops, but its successful_cycles is 3',
    ],
  ])('is refused by its rule: %s', (_, value, rule) => {
    expect(() => read(value)).toThrow(rule);
  });

  test.each([
    ['a list', [], []],
    ['a group that is no list', { model: 'o3-mini' }, ['model']],
    ['a task without an id', { 0: [{ cycles: [] }] }, ['0', 0, 'task_id']],
    ['a task without cycles', { 0: [{ task_id: 1 }] }, ['0', 0, 'cycles']],
    ['a cycle that is no object', { 0: [{ task_id: 1, cycles: ['def f(): pass'] }] }, ['0', 0, 'cycles', 0]],
    [
      'code that is not text',
      { 0: [{ task_id: 1, cycles: [{ code_output: 5 }] }] },
      ['0', 0, 'cycles', 0, 'code_output'],
    ],
  ])('is refused at its field: %s', (_, value, path) => {
    expect(trajectoriesSchema.safeParse(value).error?.issues[0]?.path).toEqual(path);
  });
});

test('empty replies, empty recordings and unknown keys are accepted', () => {
  const tasks = read({
    'loops sustained: 0': [
      { task_id: '7', cycles: [], note: 'the call failed' },
      { task_id: '8', cycles: [{ code_output: null, summary_output: null, test_results: {} }] },
      { task_id: 'Mbpp/9', cycles: [{}] },
    ],
  });
  expect(
    tasks.map(({ taskId, lines }) => [taskId, lines.map(({ step, loop, reply }) => `${step} ${loop} ${reply}`)]),
  ).toEqual([
    ['MBPP/7', ['generate 1 ']],
    ['MBPP/8', ['generate 1 ', 'summarize 1 ', 'generate 2 ']],
    ['MBPP/9', ['generate 1 ', 'summarize 1 ', 'generate 2 ']],
  ]);
});
