/**
 * A run that takes answers from another one: what it takes it does not ask, its tables are those of a run that asks,
 * and it goes on when the other run is gone.
 */
import { renameSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { stableRows } from '../../support/stable-rows.ts';
import { badReplies, benchmarkText, fenced, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

const tasks = tinyTasks(4);
let endpoint: Server;
let deployment: Deployment;
let port = 0;
let asked = 0;

/** The last task fails in the first loop; an answer names the text that it answers, so that loops stay apart. */
function replyTo(prompt: string): string {
  const index = tasks.findIndex(({ entryPoint }) => new RegExp(`\\b${entryPoint}\\b`).test(prompt));
  const task = tasks[index] as TinyTask;
  if (prompt.startsWith('Use one sentence')) return `Write a python function to add ${index + 1}.`;
  return index === 3 ? badReplies.wrong_output(task) : fenced(rightCode(task));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A probe is not a question.
  if (request.method !== 'POST') {
    response.end('{}');
    return;
  }
  asked += 1;
  const { model, messages } = JSON.parse(await text(request)) as { model: string; messages: { content: string }[] };
  const message = { role: 'assistant', content: replyTo(messages.at(-1)?.content ?? '') };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
}

interface Wanted {
  readonly count: number;
  readonly reuse?: string;
  readonly budget?: string;
}

const specOf = (name: string, { count, reuse = '[]', budget = '{ usd: 1 }' }: Wanted): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:${port}/v1" } }
models: [{ id: m, provider: here, model: one, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl, tasks: { limit: ${count} } } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2, judge: none } }
reuse: ${reuse}
budget: ${budget}
`,
  );

const run = async (name: string, wanted: Wanted, status = 0): Promise<number> => {
  const before = asked;
  const end = await deployment.evenkeel('run', specOf(name, wanted));
  expect(end.status, end.output).toBe(status);
  return asked - before;
};

/** Three calls a task that passes both loops: code, summary, code. */
const callsOfPassing = 3;

beforeAll(async () => {
  endpoint = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  ({ port } = endpoint.address() as AddressInfo);
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  expect(await run('first', { count: 2 })).toBe(2 * callsOfPassing);
}, 120_000);
afterAll(async () => {
  await deployment.close();
  endpoint.close();
});

const spentOf = async (name: string) =>
  deployment.rows(
    name,
    `select origin, count(*)::int as calls, sum(usd) as usd, min(cost_basis) as basis, count(latency_ms)::int as timed
      from calls group by origin order by origin`,
  );

test('plan counts the answers, and run takes them: free, with their origin', async () => {
  const { stdout } = await deployment.evenkeel('plan', specOf('second', { count: 4, reuse: '[first]' }), '--json');
  const { run: planned } = JSON.parse(stdout) as { run: { reusedCalls: number; newCalls: { maximum: number } } };
  expect(planned.reusedCalls).toBe(2 * callsOfPassing);
  // At most: code, summary, code for the two other tasks.
  expect(planned.newCalls.maximum).toBe(2 * callsOfPassing);
  // The third task passes both loops, the fourth fails in the first.
  expect(await run('second', { count: 4, reuse: '[first]' })).toBe(callsOfPassing + 1);
  // 10 tokens at 1 and 10 at 2 dollars a million.
  const each = 0.00003;
  expect(await spentOf('second')).toEqual([
    { origin: 'first', calls: 6, usd: 0, basis: 'free', timed: 0 },
    { origin: null, calls: 4, usd: expect.closeTo(4 * each, 12), basis: 'reported', timed: 4 },
  ]);
  const { status, output } = await deployment.evenkeel('verify', 'second');
  expect([status, output]).toEqual([0, expect.stringContaining('is intact')]);
}, 120_000);

test('its tables are those of a run that asks everything', async () => {
  expect(await run('asking', { count: 4 })).toBe(3 * callsOfPassing + 1);
  const rowsOf = (name: string) => stableRows(join(deployment.runsDir, name), ['run']);
  expect(await rowsOf('second')).toEqual(await rowsOf('asking'));
}, 120_000);

test('a copied answer is passed on with the run that asked for it', async () => {
  expect(await run('third', { count: 4, reuse: '[second]' })).toBe(0);
  expect(await spentOf('third')).toMatchObject([
    { origin: 'first', calls: 6 },
    { origin: 'second', calls: 4 },
  ]);
}, 120_000);

test('answers that cost nothing need no budget, and what was taken stays when the other run is gone', async () => {
  // Any call that had to be asked would end the run.
  expect(await run('poor', { count: 2, reuse: '[first]', budget: '{ tokens: 1 }' })).toBe(0);
  renameSync(join(deployment.runsDir, 'first'), join(deployment.folder, 'first'));
  const before = asked;
  const { status, output, stderr } = await deployment.evenkeel('run', specOf('poor', { count: 4, reuse: '[first]' }));
  renameSync(join(deployment.folder, 'first'), join(deployment.runsDir, 'first'));
  expect(status, output).toBe(0);
  expect(stderr).toContain('run "first", which answers may be taken from, is gone');
  expect(asked - before).toBe(callsOfPassing + 1);
  expect(await spentOf('poor')).toMatchObject([
    { origin: 'first', calls: 6 },
    { origin: null, calls: 4 },
  ]);
}, 120_000);

test('a run that does not exist, and the run itself, are refused before anything is created', async () => {
  for (const verb of ['plan', 'run'])
    for (const [name, reuse, text] of [
      ['fifth', '[fist]', 'no run "fist"'],
      ['sixth', '[sixth]', 'must name another run'],
    ] as const) {
      const { status, stderr } = await deployment.evenkeel(verb, specOf(name, { count: 1, reuse }));
      expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
    }
}, 60_000);
