/** Loops with a judge, judged again under a rule that reads programs with other white space: the score is kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Progress } from '../../../activities/storage/ledger/ledger-counts.ts';
import { executedAgain, type Deployment, openDeployment } from '../../support/deployment.ts';
import {
  badReplies,
  benchmarkText,
  courseLines,
  fenced,
  replayText,
  rightCode,
  tinyTasks,
} from '../../support/tiny-tasks.ts';

const [breaks, moves] = tinyTasks(2) as [ReturnType<typeof tinyTasks>[number], ReturnType<typeof tinyTasks>[number]];
/** Wrong by the first block, right by the last one: a question follows that nobody asked. */
const twoBlocks = `First:\n${badReplies.wrong_output(moves)}\nBetter:\n${fenced(rightCode(moves))}`;

let deployment: Deployment;
let ended = '';

beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
  deployment.write('tiny.jsonl', benchmarkText([breaks, moves]));
  deployment.write(
    'm.jsonl',
    replayText([
      ...courseLines(breaks, 1, 2, badReplies.wrong_output(breaks)),
      { task_id: moves.id, step: 'generate', reply: twoBlocks },
      { step: 'summarize', reply: 'Write a python function to add a fixed number.' },
    ]),
  );
  deployment.write('j.jsonl', replayText([{ step: 'judge', reply: '0.75' }]));
  const spec = `
name: judged
models: [{ id: m, provider: replay, file: m.jsonl }, { id: j, provider: replay, file: j.jsonl, study: false }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2, judge: j } }]
`;
  const run = await deployment.evenkeel('run', deployment.write('spec.yaml', spec));
  expect(run.status, run.output).toBe(0);
  const rescored = await deployment.evenkeel('rescore', 'judged', '--extraction', 'last-defining');
  expect(rescored.status, rescored.output).toBe(0);
  ended = rescored.output;
}, 300_000);
afterAll(() => deployment.close());

// Red before: no score, since programs end in a line feed under this rule, so that "the judge was not asked".
test('the recorded score holds for the same texts in other white space', async () => {
  const scores = 'select task_id, judge, score, reason from judgements';
  const expected = [{ task_id: breaks.id, judge: 'j', score: 0.75, reason: null }];
  expect(await deployment.rows('judged', scores)).toEqual(expected);
  expect(await deployment.rows('judged-last-defining', scores)).toEqual(expected);
});

// Three answers and a judge's of the first task, one of the second, whose summary nobody asked for.
// Red before: "6 answers" in the progress, at the end and in `status`.
test('a question that nobody asked is no answer', async () => {
  expect(ended).toMatch(/2\/2 cells · 5 answers[^·]* · 1 question that nobody asked · 6 programs judged/);
  expect(ended).toMatch(/2 cells · 5 answers · 1 question that nobody asked · spent/);
  const [before, now] = await Promise.all(
    ['judged', 'judged-last-defining'].map(async (run) => {
      const { stdout } = await deployment.evenkeel('status', run, '--json');
      const { answered, notAsked, lanes } = (JSON.parse(stdout) as { progress: Progress }).progress;
      return { answered, notAsked, ofLanes: lanes.map((lane) => lane.answered) };
    }),
  );
  expect(before).toEqual({ answered: 5, notAsked: undefined, ofLanes: [5] });
  expect(now).toEqual({ answered: 5, notAsked: 1, ofLanes: [5] });
  expect((await deployment.evenkeel('status', 'judged-last-defining')).stdout).toContain(
    '5 answers · 1 question that nobody asked · 6 programs judged',
  );
});
