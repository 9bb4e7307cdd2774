import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { MissingPartError } from '../../domain/errors.ts';
import type { TemporalExecutable } from '../../workers/temporal/choose-server.ts';
import { connectClient, connectWorker } from '../../workers/temporal/connection.ts';
import { type EmbeddedServer, ensureServer } from '../../workers/temporal/embedded-server.ts';
import { findFreePort } from '../../workers/temporal/free-port.ts';
import { findProcesses, identifyProcess, stopProcess } from '../../workers/temporal/process-identity.ts';
import { databaseFile, markComplete, markOption, readServerRecord } from '../../workers/temporal/server-files.ts';
import { settingsOf } from '../../workers/temporal/start-server.ts';
import { watchServer } from '../../workers/temporal/watch-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { temporalExecutable } from '../support/temporal.ts';

let executable: TemporalExecutable;
let stateDir: string;
let lines: string[];

beforeAll(async () => {
  executable = await temporalExecutable();
});

beforeEach(() => {
  stateDir = join(temporaryFolder(), '.temporal');
  lines = [];
});

afterEach(async () => {
  const left = readServerRecord(stateDir);
  if (left !== null) await stopProcess(left, 1_000);
});

const options = () => ({ stateDir, executable, onProgress: (line: string) => lines.push(line) });
const ensure = (): Promise<EmbeddedServer> => ensureServer(options());
const portOf = ({ address }: EmbeddedServer): number => Number(address.split(':')[1]);
const kill = async (pid: number): Promise<void> => {
  const identity = identifyProcess(pid);
  if (identity === null) throw new Error(`no process ${pid}`);
  process.kill(pid, 'SIGKILL');
  while (identifyProcess(pid)?.started === identity.started) await new Promise((resolve) => setTimeout(resolve, 10));
};
/** Asks for the workflow itself: the list of workflows is written a moment later, and a kill may come in between. */
const withClient = async <T>(server: EmbeddedServer, ask: (client: Client) => Promise<T>): Promise<T> => {
  const client = await connectClient(settingsOf(portOf(server)));
  try {
    return await ask(client);
  } finally {
    await client.connection.close();
  }
};
const startWorkflow = (server: EmbeddedServer, workflowId: string) =>
  withClient(server, (client) => client.workflow.start('nothing', { workflowId, taskQueue: 'nobody', args: [] }));
const stateOf = (server: EmbeddedServer, workflowId: string): Promise<string> =>
  withClient(server, async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);

test('commands on one state folder share a server, which ends with the last lease', async () => {
  const [first, second] = await Promise.all([ensure(), ensure()]);
  expect(second.pid).toBe(first.pid);
  expect(first.owned).not.toBe(second.owned);
  await first.lease.release();
  await first.lease.release();
  expect(identifyProcess(first.pid)).not.toBeNull();
  await second.lease.release();
  expect(identifyProcess(first.pid)).toBeNull();
  expect(readdirSync(join(stateDir, 'leases'))).toEqual([]);
});

test('client and worker connect, and the namespace keeps histories for 30 days', async () => {
  const server = await ensure();
  const client = await connectClient(settingsOf(portOf(server)));
  const { config } = await client.connection.workflowService.describeNamespace({ namespace: server.namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3_600);
  await client.connection.close();
  await (await connectWorker(settingsOf(portOf(server)))).close();
  await server.lease.release();
});

test('a worker that connects before its server is up waits for it, saying so once', async () => {
  const server = await ensure();
  await kill(server.pid);
  const waiting: string[] = [];
  const connecting = connectWorker(settingsOf(portOf(server)), { onWaiting: (line) => waiting.push(line) });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const again = await ensure();
  await (await connecting).close();
  expect(again.address).toBe(server.address);
  expect(waiting).toHaveLength(1);
});

test('if no server answers in time, the message names the address', async () => {
  const connecting = connectClient(
    { address: '127.0.0.1:1', namespace: 'default', apiKey: null, tls: null },
    { limitMs: 300 },
  );
  await expect(connecting).rejects.toThrow(MissingPartError);
  await expect(connecting).rejects.toThrow(/127\.0\.0\.1:1 .*TEMPORAL_ADDRESS/);
});

test('a server killed with -9 restarts on its port with its data', async () => {
  const before = await ensure();
  await startWorkflow(before, 'kept');
  await kill(before.pid);
  const after = await ensure();
  expect(after.address).toBe(before.address);
  expect(after.owned).toBe(true);
  expect(await stateOf(after, 'kept')).toBe('RUNNING');
});

/**
 * Listens on the port as soon as the kernel releases it: the sockets of a killed process may close a moment after it
 * is gone.
 */
async function squat(port: number): Promise<Server> {
  for (;;) {
    const server = createServer();
    const taken = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (taken) return server;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('if its port was taken meanwhile, it restarts on another', async () => {
  const before = await ensure();
  await kill(before.pid);
  const squatter = await squat(portOf(before));
  onTestFinished(() => void squatter.close());
  const after = await ensure();
  expect(portOf(after)).not.toBe(portOf(before));
});

test('it outlives a command that is killed with -9, and the next command takes it over', async () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../workers/temporal/embedded-server.ts')).href;
  const script = `const { ensureServer } = await import(${JSON.stringify(module)});
    const server = await ensureServer({ ...${JSON.stringify({ stateDir, executable })}, onProgress: () => {} });
    console.log(server.pid); setInterval(() => {}, 1e6);`;
  const command = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  const pid = Number(String((await once(command.stdout, 'data'))[0]));
  command.kill('SIGKILL');
  await once(command, 'exit');
  const server = await ensure();
  expect(server).toMatchObject({ pid, owned: false });
  await server.lease.release();
  expect(identifyProcess(pid)).toBeNull();
});

test('a watched server that dies is restarted on its port, until it has died too often', async () => {
  const server = await ensure();
  const gaveUp = new Promise<Error>((onGiveUp) => {
    const watch = watchServer({ ...options(), onGiveUp, intervalMs: 50, maxRestarts: 2 });
    onTestFinished(() => watch.stop());
  });
  for (let death = 1, pid = server.pid; death <= 3; death += 1) {
    await kill(pid);
    if (death === 3) break;
    await expect.poll(() => readServerRecord(stateDir)?.pid, { timeout: 20_000 }).not.toBe(pid);
    pid = readServerRecord(stateDir)?.pid ?? 0;
    expect(readServerRecord(stateDir)?.port).toBe(portOf(server));
    await expect.poll(() => lines.length).toBe(death);
  }
  expect((await gaveUp).message).toMatch(/died 3 times/);
});

test('a database whose server was killed while it created it is recreated', async () => {
  const file = databaseFile(stateDir, executable.version);
  mkdirSync(stateDir, { recursive: true });
  const serve = ['server', 'start-dev', '--headless', '--port', String(await findFreePort()), '--db-filename', file];
  const half = spawn(executable.path, serve, { stdio: 'ignore' });
  // Its tables are created one by one; with a third of them a server starts and accepts clients, but executes nothing.
  while (!statSync(file, { throwIfNoEntry: false })?.size) await sleep(1);
  half.kill('SIGKILL');
  await once(half, 'exit');
  const server = await ensure();
  expect(lines.join()).toContain('was left half-initialised');
  await startWorkflow(server, 'w');
  expect(await stateOf(server, 'w')).toBe('RUNNING');
  await server.lease.release();
  const again = await ensure();
  expect(await stateOf(again, 'w')).toBe('RUNNING');
  await again.lease.release();
});

// As after a command that was killed before it wrote the record.
test('a server without a record is found by its command line and stopped', async () => {
  const first = await ensure();
  await startWorkflow(first, 'w');
  rmSync(join(stateDir, 'server.json'));
  const second = await ensure();
  expect(second.pid).not.toBe(first.pid);
  expect(identifyProcess(first.pid)).toBeNull();
  expect(await stateOf(second, 'w')).toBe('RUNNING');
});

// Red before: the copy used the server of the folder that was copied, and took over its sweeps.
test('a copy of a folder whose server runs gets a server and database of its own, and leaves that one', async () => {
  const original = await ensure();
  await startWorkflow(original, 'w');
  const first = stateDir;
  stateDir = join(temporaryFolder(), '.temporal');
  cpSync(first, stateDir, { recursive: true });
  const copy = await ensure();
  expect(copy.pid).not.toBe(original.pid);
  expect(copy.address).not.toBe(original.address);
  await expect(stateOf(copy, 'w')).rejects.toThrow(/not found/i);
  expect(lines.join()).toMatch(/is a copy, .* is now .*\.copied-/);
  await copy.lease.release();
  expect(identifyProcess(copy.pid)).toBeNull();
  expect(await stateOf(original, 'w')).toBe('RUNNING');
  await original.lease.release();
  expect(identifyProcess(original.pid)).toBeNull();
});

test('a folder that is moved or linked finds the server that runs for it', async () => {
  const before = await ensure();
  const parent = temporaryFolder();
  renameSync(stateDir, join(parent, 'moved'));
  symlinkSync(join(parent, 'moved'), join(parent, 'linked'));
  for (const name of ['moved', 'linked']) {
    stateDir = join(parent, name);
    const after = await ensure();
    expect(after).toMatchObject({ pid: before.pid, owned: false });
    if (name === 'linked') await stopProcess(readServerRecord(stateDir) ?? { pid: 0, started: '' }, 1_000);
  }
});

// Red with the whole path as its name: the server cuts it off at the `#`, and writes to whatever file is there.
test('a folder whose name means something in a URI has the database that is its own', async () => {
  const parent = stateDir;
  mkdirSync(parent, { recursive: true });
  for (const name of ['one#1', 'one#2', 'one?x=%41']) {
    stateDir = join(parent, name, '.temporal');
    const server = await ensure();
    expect(statSync(databaseFile(stateDir, executable.version)).size).toBeGreaterThan(0);
    await startWorkflow(server, 'w');
    expect(await stateOf(server, 'w')).toBe('RUNNING');
    await server.lease.release();
  }
  expect(readdirSync(parent).toSorted()).toEqual(['one#1', 'one#2', 'one?x=%41']);
});

test('an unreadable database is set aside, and the server starts afresh', async () => {
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(databaseFile(stateDir, executable.version), 'no database'.repeat(1_000));
  await markComplete(databaseFile(stateDir, executable.version));
  const server = await ensure();
  await startWorkflow(server, 'fresh');
  expect(await stateOf(server, 'fresh')).toBe('RUNNING');
  expect(lines.join()).toMatch(/was unreadable; moved it to .*\.unreadable-/);
});

// Red before: ENOENT with a stack trace, and the server stayed.
test('a folder that is removed while its server starts is named, and no server stays', async () => {
  const starting = ensure();
  const refused = expect(starting).rejects.toThrow(/did not start: (?:its folder was removed|it ended with 1)/);
  const database = databaseFile(stateDir, executable.version);
  const isMade = (): boolean => (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 2e6;
  while (!isMade()) await sleep(5);
  rmSync(stateDir, { recursive: true, force: true });
  await refused;
  expect(findProcesses(markOption, join(stateDir, 'temporal-'))).toEqual([]);
});

test('a server that cannot start is reported with its own message, and holds no lease', async () => {
  mkdirSync(databaseFile(stateDir, executable.version), { recursive: true });
  const failure = await ensure().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MissingPartError);
  expect(String(failure)).toMatch(/did not start: it ended with 1.*unable to open database file/s);
  expect(readdirSync(join(stateDir, 'leases'))).toEqual([]);
});

test('a file that is not a server is reported, not waited for', async () => {
  const startMs = performance.now();
  const broken = { path: join(stateDir, 'no-such-file'), version: '1' };
  await expect(ensureServer({ ...options(), executable: broken })).rejects.toThrow(/could not be executed/);
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(existsSync(join(stateDir, 'server.json'))).toBe(false);
  rmSync(stateDir, { recursive: true });
});
