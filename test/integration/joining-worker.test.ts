/**
 * A worker that joins a run in which every page is inside a long step.
 * It has the run's key, so the endpoint tells the processes apart by whose socket a request comes from.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badReplies, benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';
import { type Command, startCommand } from '../support/command.ts';
import { executedAgain, type Deployment, openDeployment, until } from '../support/deployment.ts';
import { ledgerNumber } from '../support/ledger-look.ts';

/** Until the joined worker asks: eight at a time, all pages last over half a minute. */
const answerMs = 1_000;
const tasks = 256;

let deployment: Deployment;
let server: Server;
/** Arrival times of requests, by the process that sent them. */
const asked = new Map<string, number[]>();
const countOf = (sender: string): number => asked.get(sender)?.length ?? 0;

const mark = 'JOINED_WORKER=yes';
const senders = new WeakMap<Socket, 'first' | 'second'>();

function senderOf(socket: Socket): 'first' | 'second' {
  const known = senders.get(socket) ?? (joinedSockets().has(socketNumber(socket.remotePort ?? 0)) ? 'second' : 'first');
  senders.set(socket, known);
  return known;
}

/** The system's number of the socket at the other end, from its table of connections. */
function socketNumber(port: number): string {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return rows.map((row) => row.trim().split(/\s+/)).find(([, address]) => address?.endsWith(local))?.[9] ?? '';
}

/** Numbers of all sockets of the processes that joined. */
function joinedSockets(): Set<string> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isJoined(name));
  const files = pids.flatMap((pid) =>
    orNone(() => readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)),
  );
  const links = files.flatMap((file) => orNone(() => [readlinkSync(file)]));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

const isJoined = (pid: string): boolean =>
  orNone(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')).includes(mark);

/** Processes and files may be gone by the time they are read. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

beforeAll(async () => {
  deployment = await openDeployment({ ...executedAgain, KEY: 'first' });
  const content = badReplies.no_code();
  server = createServer((request, response) => {
    request.resume();
    if (request.url === '/v1/models') return void response.end('{}');
    const sender = senderOf(request.socket);
    asked.set(sender, [...(asked.get(sender) ?? []), performance.now()]);
    const reply = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage };
    const answer = (): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    setTimeout(answer, countOf('second') > 0 ? 10 : answerMs);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  await deployment.close();
  server.close();
});

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

function spec(): string {
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(tasks)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return deployment.write(
    'joined.yaml',
    `
name: joined
providers: { mine: { kind: openai, baseUrl: "${url}", apiKeyEnv: KEY, limits: { concurrency: 8 } } }
models: [{ id: one, provider: mine, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { judge: none } }]
`,
  );
}

function joined(): Command {
  return startCommand(['worker', '--roles', 'llm,sandbox', '--runs-dir', deployment.runsDir], {
    ...process.env,
    KEY: 'first',
    JOINED_WORKER: 'yes',
    EVENKEEL_RUNS: deployment.runsDir,
  });
}

// Red without handing over: the joined worker makes no call at all.
test('its first call goes out within five seconds, and no call is sent twice', async () => {
  const command = deployment.start('run', spec());
  await until(() => countOf('first') >= 8, command);
  const second = joined();
  await until(() => second.stderr().includes('serving llm'), second);
  const servesMs = performance.now();
  await until(() => countOf('second') > 0 || !command.isRunning(), second);
  const [firstCallMs = Infinity] = asked.get('second') ?? [];
  expect(await command.ended, command.output()).toBe(0);
  second.process.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(firstCallMs - servesMs).toBeLessThan(5_000);
  expect(countOf('first') + countOf('second')).toBe(tasks);
  expect(
    ledgerNumber(join(deployment.runsDir, 'joined'), "select count(*) from intent where state <> 'answered'"),
  ).toBe(0);
});
