import { expect, test } from 'vitest';
import { type AskedTask, repeatedTasksNotes } from '../../../domain/benchmarks/repeated-tasks.ts';

const task = (taskId: string, prompt: string, more: Partial<AskedTask> = {}): AskedTask => ({
  ...{ taskId, prompt, language: 'python', entryPoint: 'f', ...more },
});

test('two problems, three times each, are counted once', () => {
  const tasks = ['a', 'b'].flatMap((prompt) => [1, 2, 3].map((number) => task(`${prompt}/${number}`, prompt)));
  expect(repeatedTasksNotes('dup', tasks)).toEqual([
    "4 of 6 tasks of benchmark dup repeat another one's prompt: they tell nothing new, but count as independent, so " +
      'intervals are too narrow and p values too small',
  ]);
  expect(repeatedTasksNotes('dup', tasks.slice(1, 3))).toEqual([
    expect.stringMatching(/^1 of 2 tasks of benchmark dup repeats another one's prompt: it tells nothing new/),
  ]);
});

const perl = task('3', 'a', { language: 'perl' });
test.each([
  ['the same task of two runs', [task('1', 'a'), task('1', 'a')]],
  ['another function, or language', [task('1', 'a'), task('2', 'a', { entryPoint: 'g' }), perl]],
  ['prompts that are not known', [task('1', ''), task('2', '')]],
])('%s: not a word', (_what, tasks) => expect(repeatedTasksNotes('b', tasks)).toEqual([]));
