/** Files of bigcode-evaluation-harness, LiveCodeBench, BigCodeBench and promptfoo: test/fixtures/exchange. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ImportFormatName } from '../../../../activities/exchange/imports/import-formats.ts';
import { fixture, imported, repliesOf, threeTasks, written } from './reading.ts';

const samples = repliesOf(await imported('evalplus', fixture('evalplus', 'samples.jsonl')));
const graded = [true, false, true, false, true, false];

test.each<[ImportFormatName, string, boolean]>([
  ['bigcode', 'generations.json', false],
  ['livecodebench', 'eval_all.json', true],
  ['bigcodebench', 'samples_eval_results.json', true],
])('%s: programs as they stand, in order, with their verdicts', async (format, name, hasVerdicts) => {
  const replies = repliesOf(await imported(format, fixture(format, name), { tasks: threeTasks }));
  const recorded = (index: number) =>
    hasVerdicts ? [{ by: format, suite: 'all suites', passed: graded[index] }] : undefined;
  expect(replies).toEqual(samples.map((sample, index) => ({ ...sample, recorded: recorded(index) })));
});

test('promptfoo: replies with tokens, the test as the verdict, the variable as the task', async () => {
  const file = fixture('promptfoo', 'results.json');
  const output = await imported('promptfoo', file, { tasks: threeTasks, model: 'scripted' });
  expect(repliesOf(output)).toEqual(
    samples.map((sample, index) => ({
      ...{ ...sample, extracted: undefined, reply: `\`\`\`python\n${sample.reply}\`\`\`\n` },
      // The test there knows two of the three wrong programs by their text.
      recorded: [{ by: 'promptfoo', suite: 'all suites', passed: [true, true, true, false, true, false][index] }],
    })),
  );
  expect(output.lines[0]).toMatchObject({ model: 'scripted', input_tokens: 50, output_tokens: 20 });
  await expect(imported('promptfoo', file, { columns: { task_id: 'problem' } })).rejects.toThrow(
    /results\[0\] {2}has no variable problem: name the variable/,
  );
});

test('promptfoo: an error of the provider is no answer, and a provider that is only a text is the model', async () => {
  const result = { vars: { task_id: 'A/1' }, provider: 'openai:gpt', success: false };
  const results = [
    { ...result, error: '429 from the provider' },
    { ...result, success: true, response: { output: { code: 1 } } },
  ];
  const { lines, faults } = await imported(
    'promptfoo',
    written('results.json', JSON.stringify({ results: { version: 3, results } })),
  );
  expect(faults).toMatchObject([{ taskId: 'A/1', fault: '429 from the provider' }]);
  expect(lines).toMatchObject([{ task_id: 'A/1', reply: '{"code":1}', model: 'openai:gpt' }]);
});

test('LiveCodeBench: without extracted code, the outputs are replies', async () => {
  const file = written('outputs.json', JSON.stringify([{ question_id: 7, output_list: ['one', 'two'] }]));
  expect(repliesOf(await imported('livecodebench', file))).toMatchObject([
    { task: '7', sample: 0, reply: 'one', extracted: undefined },
    { task: '7', sample: 1, reply: 'two', extracted: undefined },
  ]);
});

test('bigcode: the benchmark gives the ids, and must have as many tasks', async () => {
  const file = fixture('bigcode', 'generations.json');
  await expect(imported('bigcode', file)).rejects.toThrow(/--benchmark {2}is required/);
  await expect(imported('bigcode', file, { tasks: threeTasks.slice(0, 2) })).rejects.toThrow(
    /\[2\] {2}has 3 lists; the benchmark has only 2 tasks/,
  );
});

test.each<[ImportFormatName, string, RegExp]>([
  ['bigcode', '[["x"], "y"]', /1 {2}.*expected the list of programs of one task/],
  ['bigcode', '[["x", null]]', /0\.1/],
  ['livecodebench', '{}', /expected a list of questions/],
  ['livecodebench', '[{"question_id": "a"}]', /\b0 {2}.*neither code_list nor output_list/],
  ['livecodebench', '[{"question_id": "a", "code_list": ["x"], "graded_list": []}]', /0\.graded_list/],
  ['bigcodebench', '{"eval": {"BigCodeBench/0": [{"status": "pass"}]}}', /eval\.BigCodeBench\/0\.0\.solution/],
  ['promptfoo', '{"results": {"version": 2, "results": []}}', /results\.version {2}.*only results of version 3/],
  ['promptfoo', '{"results": [', /not valid JSON/],
])('%s is refused with the place: %s', async (format, text, message) => {
  const file = written('damaged.json', text);
  await expect(imported(format, file, { tasks: threeTasks })).rejects.toThrow(
    expect.objectContaining({ name: 'InputError', file, message: expect.stringMatching(message) }),
  );
});

test('values that Python writes and JSON lacks are read as null, and stay in texts', async () => {
  const solution = 'x = "NaN, -Infinity"';
  const text = JSON.stringify({ eval: { 'A/1': [{ solution, base_status: 'pass', base_fail_tests: ['N', '-I'] }] } })
    .replace('"N"', 'NaN')
    .replace('"-I"', '-Infinity');
  const [line] = repliesOf(await imported('evalplus', written('eval_results.json', text)));
  expect(line?.reply).toBe(solution);
  expect(readFileSync(fixture('promptfoo', 'results.json'), 'utf8')).not.toMatch(/NaN|Infinity/);
});
