/** JUnit and every_eval_ever of a few answers, written out by hand. The packages' own readers: test/soak/exchange. */
import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { everyEvalEverFiles } from '../../../../activities/exchange/exports/every-eval-ever.ts';
import { junitOf } from '../../../../activities/exchange/exports/junit.ts';
import { answerOf, evaluation, numbered } from './answers.ts';

const answers = [
  answerOf({ task_id: 'T/1' }),
  answerOf({
    ...{ task_id: 'T/1', outcome: 'wrong_output', solution: 'if a < "b" & c:\u0001', failing_suite: 'base' },
    ...{ failing_input: '[1]', detail: 'expected 1, got 2' },
  }),
  answerOf({ task_id: 'T/2', outcome: 'missing_dependency', counted: false }),
  answerOf({ task_id: 'T/2', variant: 'v"1', setting: 'hot', counted: false }),
];

// Red before: `<skipped message="pass"/>` of a loop that passed, in a cell that ASL does not count.
test('JUnit: a suite of tests per evaluation, with counts; only the unjudged is skipped, escaped', async () => {
  let text = '';
  for await (const piece of junitOf(numbered([...answers, answerOf({ model: 'n', task_id: 'T/3' })]))) text += piece;
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="evenkeel">
<testsuite name="plain.m.b" tests="4" failures="1" errors="0" skipped="1">
<testcase classname="plain.m.b" name="T/1 #1"/>
<testcase classname="plain.m.b" name="T/1 #2"><failure type="wrong_output" message="wrong_output, suite base">\
expected 1, got 2
input: [1]
if a &lt; &quot;b&quot; &amp; c:\uFFFD</failure></testcase>
<testcase classname="plain.m.b" name="T/2 #1"><skipped message="missing_dependency: \
not judged, since the sandbox lacks a package that the program imports"/></testcase>
<testcase classname="plain.m.b" name="T/2 v&quot;1 hot #2"/>
</testsuite>
<testsuite name="plain.n.b" tests="1" failures="0" errors="0" skipped="0">
<testcase classname="plain.n.b" name="T/3 #1"/>
</testsuite>
</testsuites>
`);
});

test('every_eval_ever: the mean of the shares of tasks, under the names of its data store', async () => {
  const { files } = await everyEvalEverFiles(evaluation, numbered([...answers, answerOf({ task_id: 'T/3' })]));
  const [aggregate, samples] = files;
  expect(aggregate?.path).toMatch(
    /^data\/b\/org\/m\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json$/,
  );
  expect(samples?.path).toBe(aggregate?.path.replace('.json', '_samples.jsonl'));
  const one = JSON.parse(aggregate?.text ?? '') as { evaluation_id: string; evaluation_results: object[] };
  expect(one).toMatchObject({
    ...{ schema_version: '0.3.0', model_info: { name: 'm', id: 'org/m' }, evaluation_timestamp: '1767323045' },
    detailed_evaluation_results: {
      ...{ format: 'jsonl', file_path: samples?.path, total_rows: 3, checksum: hash('sha256', samples?.text ?? '') },
    },
  });
  // Task 1: one of two passes; task 2: nothing counts; task 3: passes.
  expect(one.evaluation_results).toMatchObject([
    { evaluation_result_id: 'pass_rate/all_suites', score_details: { score: 0.75, uncertainty: { num_samples: 2 } } },
    { evaluation_result_id: 'pass_rate/base', score_details: { score: 0.75 } },
  ]);
  const rows = (samples?.text ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toMatchObject(
    [true, false, true].map((passed) => ({
      ...{
        evaluation_id: one.evaluation_id,
        model_id: 'org/m',
        input: { raw: 'Write x.' },
        interaction_type: 'single_turn',
      },
      ...{ evaluation: { score: passed ? 1 : 0, is_correct: passed }, output: { raw: ['x = 1'] }, messages: null },
      token_usage: { total_tokens: 7 },
    })),
  );
});

// Red before: 0 of the 2 that fail; the 2 that pass the suite were left out, as another could not judge them.
test('every_eval_ever: a suite has its result of an answer that another suite could not judge', async () => {
  const answers = ['T/1', 'T/2', 'T/3', 'T/4'].map((task_id, place) =>
    answerOf({
      ...{ task_id, of_rate: true, counted: place > 1, outcome: place > 1 ? 'wrong_output' : 'missing_dependency' },
      suites: [
        { suite: 'base', outcome: place > 1 ? 'wrong_output' : 'pass' },
        { suite: 'plus', outcome: place > 1 ? 'wrong_output' : 'missing_dependency' },
      ],
    }),
  );
  const { files } = await everyEvalEverFiles(evaluation, numbered(answers));
  const { evaluation_results: results } = JSON.parse(files[0]?.text ?? '') as { evaluation_results: object[] };
  const scores = results.map((one) => (one as { score_details: { score: number } }).score_details.score);
  expect(scores).toEqual([0, 0.5, 0]);
});
