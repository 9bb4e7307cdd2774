/** The parts of a deployment on their own: doctor, a server of simulated models, a worker next to the run's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
});
afterAll(() => deployment.close());

test('doctor names every part as one JSON document and finds this machine fit', async () => {
  const runsDir = join(deployment.folder, 'other-runs');
  const { status, stdout, output } = await deployment.evenkeel('doctor', '--json', '--runs-dir', runsDir);
  expect(status, output).toBe(0);
  const { findings } = JSON.parse(stdout) as { findings: { part: string; ok: boolean; found: string }[] };
  expect(findings.map(({ part }) => part)).toEqual(expect.arrayContaining(['Node', 'disk', 'Temporal', 'sandbox']));
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  // Red before: the folder of runs was the default one, whatever `--runs-dir` said.
  expect(findings.find(({ part }) => part === 'disk')?.found).toContain(runsDir);
});

test('simulate says where it listens, answers like OpenAI, logs the request and stops on a signal', async () => {
  const logFile = join(deployment.folder, 'requests.jsonl');
  const server = deployment.start('simulate', '--port', '0', '--log', logFile, '--json');
  await until(() => server.stdout().trimEnd().endsWith('}'), server);
  const { url, models, tasks } = JSON.parse(server.stdout()) as { url: string; models: string[]; tasks: number };
  expect([models, tasks]).toEqual([['strong', 'drifting', 'weak', 'faulty', 'judge'], 45]);
  const task = JSON.parse(readFileSync(starterBenchmark, 'utf8').split('\n')[0] as string) as {
    prompt: string;
    entry_point: string;
  };
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'strong', messages: [{ role: 'user', content: task.prompt }], temperature: 0 }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: expect.stringContaining(`def ${task.entry_point}(`) } }],
  });
  const log = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  expect(log.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(['received', 'answered']);
  server.process.kill('SIGTERM');
  expect(await server.ended, server.output()).toBe(0);
});

test('a worker serves its roles until a signal drains it', async () => {
  const worker = deployment.start('worker', '--roles', 'llm,sandbox');
  await until(() => worker.stderr().includes('serving llm, sandbox'), worker);
  worker.process.kill('SIGINT');
  expect(await worker.ended, worker.output()).toBe(0);
});
