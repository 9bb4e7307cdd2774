/** `resume --model ID` retries one stopped model; other stopped models stay stopped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retryNote } from '../../cli/output/retry-note.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { benchmarkText, fenced, replayText, rightCode, tinyTasks } from '../support/tiny-tasks.ts';

const tasks = tinyTasks(2);
const lines = tasks.map((task) => ({ task_id: task.id, reply: fenced(rightCode(task)) }));
const files = ['one', 'two', 'three'];

let deployment: Deployment;
const models = async (): Promise<unknown[]> =>
  deployment.rows('lacking', 'select model, count(*)::int as n from loops group by all order by all');
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  for (const name of files) deployment.write(`${name}.jsonl`, replayText(name === 'one' ? lines : lines.slice(0, 1)));
  const spec = `
name: lacking
models: [${files.map((name) => `{ id: ${name}, provider: replay, file: ${name}.jsonl }`).join(', ')}]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]
`;
  const end = await deployment.evenkeel('run', deployment.write('lacking.yaml', spec));
  expect(end.status, end.output).toBe(3);
}, 120_000);
afterAll(() => deployment?.close());

test('only the named model is retried', async () => {
  expect(await models()).toEqual([{ model: 'one', n: 2 }]);
  // Red before: the hint left `--model` out, so that the other stopped model would have been asked too.
  const lacking = await deployment.evenkeel('resume', 'lacking', '--model', 'two');
  expect([lacking.status, lacking.stderr]).toEqual([
    3,
    expect.stringMatching(/resume lacking --model two --runs-dir \S+$/m),
  ]);
  expect(lacking.stderr).not.toContain('was not stopped');
  for (const name of files) deployment.write(`${name}.jsonl`, replayText(lines));
  const end = await deployment.evenkeel('resume', 'lacking', '--model', 'two');
  expect([end.status, end.stderr]).toEqual([3, expect.stringMatching(/resume lacking --runs-dir \S+$/m)]);
  expect(await models()).toEqual(['one', 'two'].map((model) => ({ model, n: 2 })));
  const { stopped } = JSON.parse((await deployment.evenkeel('status', 'lacking', '--json')).stdout).progress;
  expect(stopped).toMatchObject([{ model: 'three', reason: 'model_stopped' }]);
  expect(readFileSync(join(deployment.runsDir, 'lacking', 'manifest.json'), 'utf8')).toContain('"incomplete"');
}, 120_000);

// Red before: not a word, although the option had no effect.
test('a model that was not stopped is said so, with what the run then does', async () => {
  const stays = await deployment.evenkeel('resume', 'lacking', '--model', 'one');
  expect([stays.status, stays.stderr]).toEqual([
    3,
    expect.stringContaining('note: model "one" was not stopped: three stays stopped, and all other models go on\n'),
  ]);
  expect(retryNote('one', { stopped: [{ model: '*', reason: 'paused', detail: 'by hand' }] })).toBe(
    'note: --model one changes nothing, since no model of the run was stopped: all models go on',
  );
}, 120_000);

test('a model that the run does not have is refused with the nearest name', async () => {
  const end = await deployment.evenkeel('resume', 'lacking', '--model', 'thre');
  expect([end.status, end.stderr]).toEqual([2, expect.stringContaining('three')]);
});
