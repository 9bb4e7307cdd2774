/** CSV files with named columns. */
import { expect, test } from 'vitest';
import { imported, repliesOf, threeTasks, written } from './reading.ts';

const csv = (text: string): string => written('answers.csv', text);

test('the column says what a text is; numbered samples are in their order; verdicts are by suite', async () => {
  const file = csv(
    'task_id,sample,solution,completion,reply,passed,passed_plus,note\n' +
      'Starter/1,1,"def f():\n    return ""x"", 1\n",,,true,FAIL,second\n' +
      'Starter/1,0,,  return 1,,no,,\n' +
      'Starter/6,,,,Hello,,,\n',
  );
  const replies = repliesOf(await imported('csv', file, { tasks: threeTasks }));
  expect(replies).toEqual([
    {
      ...{ task: 'Starter/1', sample: 0, extracted: true, reply: `${threeTasks[0]?.prompt}  return 1` },
      recorded: [{ by: 'csv', suite: 'all suites', passed: false }],
    },
    {
      ...{ task: 'Starter/1', sample: 1, extracted: true, reply: 'def f():\n    return "x", 1\n' },
      recorded: [
        { by: 'csv', suite: 'all suites', passed: true },
        { by: 'csv', suite: 'plus', passed: false },
      ],
    },
    { task: 'Starter/6', sample: undefined, extracted: undefined, recorded: undefined, reply: 'Hello' },
  ]);
});

test('columns with other names are named, and one model of several is chosen', async () => {
  const file = csv('problem,code,who\nA/1,x,one\nA/1,y,two\n');
  const columns = { task_id: 'problem', solution: 'code', model: 'who' };
  expect(repliesOf(await imported('csv', file, { columns, model: 'two' })).map(({ reply }) => reply)).toEqual(['y']);
  await expect(imported('csv', file, { columns })).rejects.toThrow(/--model {2}the file has answers of one, two/);
  await expect(imported('csv', file, { columns, model: 'tow' })).rejects.toThrow(/did you mean "two"/);
  await expect(imported('csv', file, { columns: { task_id: 'problme' } })).rejects.toThrow(/did you mean "problem"/);
  await expect(imported('csv', file, { columns: { solutoin: 'code' } })).rejects.toThrow(/did you mean "solution"/);
});

test.each([
  ['no task', 'problem,solution\nA/1,x\n', 1, /has no column task_id; its columns: problem, solution/],
  ['no text', 'task_id,note\nA/1,x\n', 1, /columns solution, completion, reply; its columns: task_id, note. Name/],
  ['an empty id, after a text of two lines', 'task_id,reply\nA/1,"x\ny"\n,x\n', 4, /task_id {2}is empty/],
  [
    'a verdict in other words',
    'task_id,reply,passed\nA/1,x,maybe\n',
    2,
    /passed {2}expected true or false, got "maybe"/,
  ],
  ['a sample that is no number', 'task_id,reply,sample\nA/1,x,-1\n', 2, /sample {2}expected a number from 0, got "-1"/],
  ['a row with other columns', 'task_id,reply\nA/1,x\nA/1\n', null, /is not valid CSV: .*line 3/],
  ['an open quote', 'task_id,reply\nA/1,"x\n', null, /is not valid CSV: .*line/],
  ['nothing', '', 1, /has no column task_id/],
  ['a column twice', 'task_id,reply,reply\nA/1,x,y\n', 1, /has two columns reply: rename or remove one/],
  [
    'a sample twice',
    'task_id,reply,sample\nA/1,x,0\nA/2,x,0\nA/1,y,0\n',
    4,
    /sample {2}sample 0 of A\/1 is also in line 2: number each sample once$/,
  ],
  // Red before: nothing about studies, though each has numbered its samples once.
  [
    'an export of several studies',
    'task_id,sample,reply,study\nA/1,0,x,loops\nA/2,0,x,loops\nA/1,0,y,words\n',
    4,
    /also in line 2: number each sample once; the lines are of studies loops and words, .* with --study NAME$/,
  ],
  ['a header alone', 'task_id,reply\n', null, /has no samples/],
])('is refused with file and line: %s', async (_what, text, line, message) => {
  const file = csv(text);
  await expect(imported('csv', file)).rejects.toThrow(
    expect.objectContaining({ name: 'InputError', file, line, message: expect.stringMatching(message) }),
  );
});
