/**
 * NFR-Enhanced where the plain answer has no verdict, or there is nothing to improve: `nfr_scores`, `nfr_phrasings` and
 * `answers` count the same answers. A final answer without code fails every suite that can judge the task.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { badReplies, fenced, replayText, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

const [right, prose, unjudged, broken, half] = tinyTasks(5) as [TinyTask, TinyTask, TinyTask, TinyTask, TinyTask];

/** Without expected values the reference gives them. */
const record = (task: TinyTask, reference: string, base: object, plus: object): string =>
  JSON.stringify({
    ...{ task_id: task.id, entry_point: task.entryPoint, reference },
    prompt: `"""\nWrite a python function to add ${task.addend} to the given number.\n"""\n`,
    suites: { base: { inputs: [[1]], ...base }, plus: { inputs: [[-1000]], ...plus } },
  });
const failing = ({ entryPoint }: TinyTask): string => `def ${entryPoint}(number):\n    return undefined_name\n`;
const benchmark = [
  ...[right, prose, unjudged].map((task) => record(task, rightCode(task), {}, {})),
  record(broken, failing(broken), {}, {}),
  record(half, failing(half), { expected: [1 + half.addend] }, {}),
].join('\n');

const at = ({ id }: TinyTask, step: 'generate' | 'improve', reply: string) => ({ task_id: id, step, reply });
const replies = replayText([
  at(right, 'generate', fenced(rightCode(right))),
  at(right, 'improve', fenced(rightCode(right))),
  at(prose, 'generate', badReplies.missing_dependency(prose)),
  at(prose, 'improve', badReplies.no_code()),
  at(unjudged, 'generate', badReplies.missing_dependency(unjudged)),
  at(unjudged, 'improve', badReplies.missing_dependency(unjudged)),
  at(broken, 'generate', badReplies.no_code()),
  at(half, 'generate', badReplies.no_code()),
]);
const spec = `
name: unjudged
models: [{ id: m, provider: replay, file: replies.jsonl }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: ways, kind: robunfr-workflows, benchmark: tiny, repetitions: 1,
      settings: { dimensions: [{ name: guard, phrasings: [Guard it] }] } }
`;

let deployment: Deployment;
const rows = (sql: string) => deployment.rows('unjudged', sql);
const enhanced = "setting = 'nfr-enhanced'";
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmark);
  deployment.write('replies.jsonl', replies);
  const end = await deployment.evenkeel('run', deployment.write('unjudged.yaml', spec));
  expect(end.status, end.output).toBe(0);
}, 120_000);
afterAll(() => deployment?.close());

// Red before: Tiny/2 was excluded, and Tiny/5 failed by something other.
test('nfr_scores: prose after code that could not be judged fails, as does prose that was not improved', async () => {
  expect(await rows(`select task_id, passed, failure from nfr_scores where ${enhanced} order by all`)).toEqual([
    { task_id: right.id, passed: true, failure: null },
    { task_id: prose.id, passed: false, failure: 'no_code' },
    { task_id: unjudged.id, passed: null, failure: 'excluded' },
    { task_id: broken.id, passed: null, failure: 'excluded' },
    { task_id: half.id, passed: false, failure: 'nothing_to_improve' },
  ]);
});

// Red before: 1 of 4 on base and 1 of 4 on plus, with the tasks whose reference gives no output.
test('nfr_phrasings counts them too, on the suites that can judge the task', async () => {
  const sql = `select suite, value, n from nfr_phrasings where ${enhanced} and metric = 'pass_at_1' order by all`;
  expect(await rows(sql)).toEqual([
    { suite: 'base', value: expect.closeTo(100 / 3, 9), n: 3 },
    { suite: 'plus', value: 50, n: 2 },
  ]);
});

test('the view answers counts the same cells', async () => {
  const sql = `select task_id, passed from answers where ${enhanced} and counted order by all`;
  expect(await rows(sql)).toEqual([
    { task_id: right.id, passed: true },
    { task_id: prose.id, passed: false },
    { task_id: half.id, passed: false },
  ]);
});
