/**
 * Pause, cancel, Ctrl-C, budgets and closed models, as a user meets them. The simulated endpoint's own log says what
 * was asked; it is compared with an undisturbed run.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import type { RequestLogEntry } from '../../simulator/request-log.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { readServerRecord } from '../../workers/temporal/server-files.ts';
import { settingsOf } from '../../workers/temporal/start-server.ts';
import { type Command, type CommandEnd, endOf } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { inFull, long } from '../support/forms/long.ts';
import { type Gate, openGate } from '../support/gate.ts';
import { ledgerNumber } from '../support/ledger-look.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;
let calm: string[];

const spec = (name: string, limit = 6): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 4 } } }
models:
  - { id: steady, provider: sim }
  - { id: drifting, provider: sim }
  - { id: judge, provider: sim, study: false }
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: ${limit} } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 4, judge: judge } }]
`,
  );

/** Bodies of the answered requests, sorted. */
const bodies = (log: readonly RequestLogEntry[]): string[] =>
  log.flatMap(({ outcome, bodySha256 }) => (outcome === 'answered' ? [bodySha256] : [])).sort();

beforeAll(async () => {
  deployment = await openDeployment();
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 50);
  gate = await openGate(endpoint.url);
  const end = await deployment.evenkeel('run', spec('calm'));
  expect(end.status, end.output).toBe(0);
  calm = bodies(endpoint.log());
}, 300_000);
afterAll(async () => {
  await gate.close();
  await endpoint.close();
  await deployment.close();
});

async function expectSameCallsAsCalm(from: number, end: CommandEnd): Promise<void> {
  expect(end.status, end.output).toBe(0);
  expect(bodies(endpoint.log(from))).toEqual(calm);
}

test('an undisturbed run asks nothing twice', () => {
  expect(calm.length).toBeGreaterThan(60);
  expect(endpoint.log().filter(({ outcome }) => outcome === 'received')).toHaveLength(calm.length);
});

interface Sitting {
  readonly args: readonly string[];
  /** Called after a dozen more calls, while the next ones wait. */
  readonly act: (command: Command) => Promise<unknown>;
  readonly status: number;
  /** The stop in force afterwards. */
  readonly stop: readonly string[];
}

/** Red before: the line went on to tell of closed accounts and an ETA. */
const stopBy = (verb: string, text: string) => async (command: Command) => {
  await deployment.evenkeel(verb, 'stopped');
  await until(() => new RegExp(`^${text}: waits for \\d calls? in flight$`, 'm').test(command.stderr()), command);
};

async function interrupt(command: Command): Promise<void> {
  command.process.kill('SIGINT');
  await until(() => command.stderr().includes('stopping:'), command);
}

test('pause and cancel end a run with 3, Ctrl-C with 130; open calls finish, the printed command resumes', async () => {
  const from = endpoint.log().length;
  const resume = ['resume', 'stopped', '--runs-dir', deployment.runsDir];
  const sittings: readonly Sitting[] = [
    {
      args: ['run', spec('stopped')],
      act: stopBy('pause', 'pausing'),
      status: 3,
      stop: ['paused'],
    },
    { args: resume, act: stopBy('cancel', 'cancelling'), status: 3, stop: ['cancelled'] },
    { args: resume, act: interrupt, status: 130, stop: [] },
  ];
  for (const { args, act, status, stop } of sittings) {
    gate.letThrough(12);
    const command = deployment.start(...args);
    await until(gate.isHolding, command);
    await act(command);
    gate.open();
    expect(await command.ended, command.output()).toBe(status);
    expect(command.stderr()).toContain(`npx evenkeel ${resume.join(' ')}\n`);
    const seen = JSON.parse((await deployment.evenkeel('status', 'stopped', '--json')).stdout) as Seen;
    const state = status === 130 ? 'interrupted' : 'incomplete';
    expect([seen.state, seen.progress.stopped.map(({ reason }) => reason)]).toEqual([state, stop]);
    const asked = endpoint.log(from);
    expect(asked.filter(({ outcome }) => outcome === 'received')).toHaveLength(bodies(asked).length);
    expect(bodies(asked).length).toBeLessThan(calm.length);
  }
  await expectSameCallsAsCalm(from, await deployment.evenkeel(...resume));
});

test("in Temporal's list a stop is no failure, and run and model find their workflows", async () => {
  const server = readServerRecord(join(deployment.runsDir, '.temporal'));
  const client = await connectClient(settingsOf(server?.port ?? 0));
  const seen: string[] = [];
  for await (const { type, status } of client.workflow.list({ query: 'EvenkeelRun = "stopped"' }))
    seen.push(`${type} ${status.name}`);
  const ofModel = client.workflow.list({ query: 'EvenkeelRun = "stopped" and EvenkeelModel = "steady"' });
  for await (const { type } of ofModel) expect(type).toBe('evaloop');
  await client.connection.close();
  expect(seen).toContain('sweep COMPLETED');
  expect(seen).toContain('evaloop COMPLETED');
  expect(seen.filter((line) => line.endsWith('FAILED'))).toEqual([]);
});

interface Seen {
  readonly state: string;
  readonly progress: { readonly stopped: readonly { readonly reason: string }[] };
}

// Red before: it only watched, and ended paused with 3, although it was given last.
long(`a resume that is given while a pause takes effect waits for its end and continues the run${inFull}`, async () => {
  const from = endpoint.log().length;
  gate.letThrough(12);
  const first = deployment.start('run', spec('flapping'));
  await until(gate.isHolding, first);
  await deployment.evenkeel('pause', 'flapping');
  const resumed = deployment.start('resume', 'flapping');
  await until(() => resumed.stderr().includes('paused by the user; waiting for its end, to continue it'), resumed);
  gate.open();
  expect(await first.ended, first.output()).toBe(3);
  expect(await resumed.ended, resumed.output()).toBe(0);
  expect(bodies(endpoint.log(from))).toEqual(calm);
});

// Red before: it said "paused", and the run that was just starting lifted the pause and asked.
long(`a pause that is given while a resume is starting counts, as it is the later one${inFull}`, async () => {
  gate.letThrough(12);
  const first = deployment.start('run', spec('early'));
  await until(gate.isHolding, first);
  await deployment.evenkeel('pause', 'early');
  gate.open();
  expect(await first.ended, first.output()).toBe(3);
  const from = endpoint.log().length;
  gate.letThrough(0);
  const resumed = deployment.start('resume', 'early');
  // It is the look at the endpoint, before the run begins.
  await until(gate.isHolding, resumed);
  const paused = await deployment.evenkeel('pause', 'early');
  expect(paused.status, paused.output).toBe(0);
  gate.open();
  expect(await resumed.ended, resumed.output()).toBe(3);
  expect(resumed.stderr()).toContain('paused by the user while this command was starting: nothing is asked');
  expect(bodies(endpoint.log(from))).toEqual([]);
  const last = await deployment.evenkeel('resume', 'early');
  expect(last.status, last.output).toBe(0);
});

test('a second run of the same spec watches the first and ends with it; a third finds it finished', async () => {
  const from = endpoint.log().length;
  gate.letThrough(4);
  const first = deployment.start('run', spec('twice'));
  await until(gate.isHolding, first);
  const second = deployment.start('run', spec('twice'));
  await until(() => second.stderr().includes('already running in another process'), second);
  gate.open();
  expect([await first.ended, await second.ended], second.output()).toEqual([0, 0]);
  // Red before: the second said "resumed" and then that it only watches.
  expect(second.stderr()).not.toContain('resumed');
  const third = await deployment.evenkeel('run', spec('twice'));
  expect(third.stderr).toContain('is already complete');
  await expectSameCallsAsCalm(from, third);
});

long(`a larger spec given to a running run is executed too${inFull}`, async () => {
  const from = endpoint.log().length;
  gate.letThrough(4);
  const first = deployment.start('run', spec('growing', 3));
  await until(gate.isHolding, first);
  const second = deployment.start('run', spec('growing', 6));
  await until(() => second.stderr().includes('already running in another process'), second);
  gate.open();
  expect([await first.ended, await second.ended], `${first.output()}${second.output()}`).toEqual([0, 0]);
  const cells = await deployment.rows('growing', 'select count(*) as cells from loops');
  expect(cells).toEqual([{ cells: 12 }]);
  await expectSameCallsAsCalm(from, await endOf(second));
});

const spentUsd = (run: string): number =>
  ledgerNumber(join(deployment.runsDir, run), 'select sum(usd) from charge') ?? 0;

const paidSpec = (name: string, usd: number): string => `
name: ${name}
providers: { account: { kind: openai, baseUrl: "${endpoint.url}", limits: { concurrency: 6 } } }
models:
  - { id: paid, provider: account, model: drifting,
      price: { inputUsdPerMillion: 1000, outputUsdPerMillion: 1000 } }
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 6 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 4, maxTokens: 300 } }]
budget: { usd: ${usd} }
`;

test('a budget stops the run with 3 in time; once raised, resume finishes and nothing is paid twice', async () => {
  const from = endpoint.log().length;
  const stopped = await deployment.evenkeel('run', deployment.write('paid.yaml', paidSpec('paid', 4)));
  expect(stopped.status, stopped.output).toBe(3);
  expect(stopped.stderr).toContain('budget');
  // An open call holds 3.3 USD at most, so that none is refused before 0.7 are spent.
  expect(spentUsd('paid')).toBeGreaterThan(0.7);
  expect(spentUsd('paid')).toBeLessThanOrEqual(4);
  const asIs = await deployment.evenkeel('resume', 'paid');
  expect(asIs.status, asIs.output).toBe(3);
  expect(spentUsd('paid')).toBeLessThanOrEqual(4);
  // What the message names is what a call needs: it did not fit, and with that much more one is asked.
  const [, named] = /its highest cost fits into the budget: here \$([\d.]+) at least/.exec(asIs.stderr) ?? [];
  const before = spentUsd('paid');
  expect(before + Number(named)).toBeGreaterThan(4);
  await deployment.evenkeel('budget', 'paid', '--usd', (before + Number(named) + 0.01).toFixed(2));
  expect((await deployment.evenkeel('resume', 'paid')).status).toBe(3);
  expect(spentUsd('paid')).toBeGreaterThan(before);
  const raised = await deployment.evenkeel('budget', 'paid', '--usd', '100');
  expect(raised.status, raised.output).toBe(0);
  const resumed = await deployment.evenkeel('resume', 'paid');
  expect(resumed.status, resumed.output).toBe(0);
  expect(spentUsd('paid')).toBeGreaterThan(4);
  const asked = bodies(endpoint.log(from));
  const [calls] = await deployment.rows(
    'paid',
    'select count(*) as calls, count(distinct call_key) as keys, bool_and(used) as used from calls',
  );
  expect(calls).toEqual({ calls: asked.length, keys: asked.length, used: true });
});

test('a budget that is just enough never stops the run: finished calls release what they reserved', async () => {
  // The most expensive call: 300 tokens of answer and 16 around it, and a prompt of at most 2,400 bytes, two messages
  // of 32 tokens more and 512 around them.
  const dearestUsd = 3.3;
  const usd = spentUsd('paid') + dearestUsd;
  const path = deployment.write('enough.yaml', paidSpec('enough', usd));
  const end = await deployment.evenkeel('run', path);
  expect(end.status, end.output).toBe(0);
  expect(spentUsd('enough')).toBeLessThanOrEqual(usd);
});
