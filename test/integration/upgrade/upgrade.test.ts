/**
 * Another build of the program on the same runs directory while a run goes on: a copy of the sources that asks other
 * questions. On evenkeel's own server names of task queues keep builds apart, on another one Worker Versioning does.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull, long } from '../../support/forms/long.ts';
import { connectClient } from '../../../workers/temporal/connection.ts';
import { settingsOf } from '../../../workers/temporal/start-server.ts';
import { type Command, endOf, startProgram } from '../../support/command.ts';
import { type Deployment, executedAgain, openDeployment, until } from '../../support/deployment.ts';
import { type OutsideServer, startOutsideServer } from '../../support/builds/outside-server.ts';
import { changeSource, copyProgram, type SourceChange } from '../../support/builds/program-copy.ts';
import { benchmarkText, fenced, rightCode, tinyTasks } from '../../support/tiny-tasks.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tasks = tinyTasks(4);
const otherWords = 'You are an assistant of another build.';
const ownWords = 'You are a helpful AI assistant.';
const prompts = 'studies/evaloop/prompts.ts';
const otherPrompt: SourceChange = { file: prompts, from: ownWords, to: otherWords };
const otherVersion: SourceChange = { file: prompts, from: "'evaloop-1'", to: "'evaloop-0'" };

interface Asked {
  readonly model: string;
  readonly words: string;
}

let folder: string;
/** A build with the same versions, and one that says that its prompts differ. */
let other: string;
let otherVersions: string;
let endpoint: Server;
let asked: Asked[] = [];
/** Answers that wait; null while every request is answered at once. */
let held: (() => void)[] | null = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  other = copyProgram(join(folder, 'other'), [otherPrompt]);
  otherVersions = copyProgram(join(folder, 'other-versions'), [otherPrompt, otherVersion]);
  endpoint = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => (request.url === '/v1/models' ? response.end('{}') : answer(body, response)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => endpoint.once('listening', resolve));
});
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function answer(body: string, response: ServerResponse): void {
  const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
  asked.push({ model, words: messages[0]?.content ?? '' });
  const question = messages.at(-1)?.content ?? '';
  const task = tasks.find(({ entryPoint }) => question.includes(entryPoint));
  const content =
    question.startsWith('Use one sentence') || !task ? 'Write a python function.' : fenced(rightCode(task));
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const reply = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage };
  const send = (): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
  if (held === null) send();
  else held.push(send);
}

function release(): void {
  const waiting = held ?? [];
  held = null;
  for (const send of waiting) send();
}

const wordsOf = (model: string, from = 0): string[] => [
  ...new Set(asked.slice(from).flatMap((one) => (one.model === model ? [one.words] : []))),
];
const countOf = (model: string): number => asked.filter((one) => one.model === model).length;

/** Settings of an outside server; null: evenkeel's own. */
const servers = [
  { name: 'the embedded server', settings: null, isVersioned: false },
  { name: 'a server with Worker Versioning', settings: [], isVersioned: true },
] as const;

describe.each(servers)('on $name', { timeout: 300_000 }, ({ settings, isVersioned }) => {
  let deployment: Deployment;
  let outside: OutsideServer | null = null;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    if (settings !== null) outside = await startOutsideServer(folder, settings);
    const address = outside === null ? {} : { TEMPORAL_ADDRESS: outside.address };
    const variables = { ...executedAgain, KEY: 'key', ...address };
    deployment = await openDeployment(variables);
    env = { ...process.env, ...variables, EVENKEEL_RUNS: deployment.runsDir };
    deployment.write('tiny.jsonl', benchmarkText(tasks));
  });
  afterAll(async () => {
    release();
    await deployment.close();
    await outside?.close();
  });

  const eachServer = isVersioned ? { run: long, note: inFull } : { run: test, note: '' };
  const once = isVersioned ? ' (not run here: it does not depend on the server)' : '';
  const by = (program: string, ...args: string[]): Command => startProgram([program, ...args], { env });

  /** A run with one model of the same name. */
  function spec(name: string): string {
    asked = [];
    held = [];
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
    return deployment.write(
      `${name}.yaml`,
      `
name: ${name}
providers: { mine: { kind: openai, baseUrl: "${url}", apiKeyEnv: KEY, limits: { concurrency: 8 } } }
models: [{ id: ${name}, provider: mine, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { judge: none, maxLoops: 3 } }]
`,
    );
  }

  const state = (run: string): string =>
    (JSON.parse(readFileSync(join(deployment.runsDir, run, 'manifest.json'), 'utf8')) as { state: string }).state;

  // Red where queues do not hold the build and workers have no version.
  test('a running sweep is finished by the workers of its build, next to a run of the next one', async () => {
    const old = by(other, 'run', spec('old'));
    await until(() => countOf('old') === tasks.length, old);
    const helper = deployment.start('worker', '--roles', 'workflow,llm,io,sandbox', '--runs-dir', deployment.runsDir);
    await until(() => helper.stderr().includes('were started by another build of evenkeel'), helper);
    const before = { asked, held };
    const path = spec('next');
    [asked, held] = [before.asked, before.held];
    const next = deployment.start('run', path);
    await until(() => countOf('next') === tasks.length, next);
    release();
    expect(await next.ended, next.output()).toBe(0);
    expect(await old.ended, old.output()).toBe(0);
    helper.process.kill('SIGTERM');
    expect(await helper.ended).toBe(0);
    expect(wordsOf('old')).toEqual([otherWords]);
    expect(wordsOf('next')).toEqual([ownWords]);
    // Each loop asks twice, the last only for code.
    expect([countOf('old'), countOf('next')]).toEqual([5 * tasks.length, 5 * tasks.length]);
    expect([state('old'), state('next')]).toEqual(['complete', 'complete']);
  });

  eachServer.run(
    `a resume takes a run over with a new sweep, and workers of the old build get none of its steps${eachServer.note}`,
    async () => {
      const old = by(other, 'run', spec('taken'));
      const helper = by(other, 'worker', '--runs-dir', deployment.runsDir);
      await until(() => helper.stderr().includes('serving workflow'), helper);
      await until(() => countOf('taken') === tasks.length, old);
      old.process.kill('SIGKILL');
      await old.ended;
      const from = asked.length;
      const resumed = deployment.start('resume', 'taken');
      await until(() => asked.length > from, resumed);
      release();
      expect(await resumed.ended, resumed.output()).toBe(0);
      helper.process.kill('SIGTERM');
      expect(await helper.ended).toBe(0);
      expect(wordsOf('taken', from)).toEqual([ownWords]);
      expect(state('taken')).toBe('complete');
    },
  );

  test.skipIf(isVersioned)(
    `a run of a build with other prompts is not continued by this one, in words${once}`,
    async () => {
      const old = by(otherVersions, 'run', spec('refused'));
      await until(() => countOf('refused') === tasks.length, old);
      old.process.kill('SIGKILL');
      await old.ended;
      const { status, stderr } = await deployment.evenkeel('resume', 'refused');
      expect(status, stderr).toBe(2);
      expect(stderr).toContain('prompts of study loops: evaloop-0 in the run, evaloop-1 in this version');
      expect(stderr).toMatch(/Continue with the version that made it .* or start a new run under another name/);
      release();
      const { status: continued, output } = await endOf(by(otherVersions, 'resume', 'refused'));
      expect(continued, output).toBe(0);
      expect(wordsOf('refused')).toEqual([otherWords]);
    },
  );

  (isVersioned ? test.skip : long)(
    `a program that is changed while its run goes on stops the run in words${once}${inFull}`,
    async () => {
      const changed = join(folder, 'changed');
      const program = copyProgram(changed, []);
      const run = by(program, 'run', spec('changed'));
      await until(() => countOf('changed') === tasks.length, run);
      changeSource(changed, otherPrompt);
      for (const pid of childrenOf(run.pid)) process.kill(pid, 'SIGKILL');
      release();
      expect(await run.ended, run.output()).not.toBe(0);
      expect(run.stderr()).toMatch(
        /the program was changed while the run goes on: the run has build \w{12}, and this is/,
      );
      expect(run.stderr()).toContain('evenkeel resume');
      const { status, output } = await endOf(by(program, 'resume', 'changed'));
      expect(status, output).toBe(0);
    },
  );

  test.runIf(isVersioned)('the server lists both builds in the deployment of the store', async () => {
    const client = await connectClient(settingsOf(Number(outside?.address.split(':')[1])));
    const { workflowService } = client.connection;
    const { workerDeployments } = await workflowService.listWorkerDeployments({ namespace: 'default' });
    expect(workerDeployments.map(({ name }) => name)).toEqual([expect.stringMatching(/^evenkeel-[0-9a-f]{8}$/)]);
    const deploymentName = workerDeployments[0]?.name ?? '';
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace: 'default',
      deploymentName,
    });
    await client.connection.close();
    expect(workerDeploymentInfo?.versionSummaries).toHaveLength(2);
  });
});

long(
  `a server that has no Worker Versioning is named, and the run goes on${inFull}`,
  { timeout: 300_000 },
  async () => {
    const outside = await startOutsideServer(folder, ['system.enableDeploymentVersions=false']);
    const env = { ...process.env, ...executedAgain, TEMPORAL_ADDRESS: outside.address };
    const { status, stderr } = await endOf(
      startProgram([join(root, 'cli', 'main.ts'), 'demo', '--runs-dir', join(folder, 'demo-runs')], { env }),
    );
    await outside.close();
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('the Temporal server has no Worker Versioning, so names of task queues keep this run to');
  },
);

/** Worker processes of a run's command. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
