/** Sweeps of more pages, models and tasks than one history holds, over the real server with stubbed work. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inFull, long } from '../../support/forms/long.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import type { Command } from '../../support/command.ts';
import { until } from '../../support/deployment.ts';
import { pageNames } from '../../support/lanes/stub-plan.ts';
import { historySizes, openStubServer, openStubSweep, type StubSweep } from '../../support/lanes/stub-sweep.ts';

let folder: string;
let server: Awaited<ReturnType<typeof openStubServer>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  server = await openStubServer(folder);
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function worker(sweep: StubSweep, held?: string): Promise<Command> {
  const command = await sweep.startWorker(held);
  onTestFinished(() => killed(command));
  return command;
}

async function killed(command: Command): Promise<void> {
  command.process.kill('SIGKILL');
  await command.ended;
}

const openPagesIn = async (path: string): Promise<number> => {
  const ledger = openLedger(path);
  const open = (await ledger.openLanes()).reduce((sum, lane) => sum + lane.open, 0);
  await ledger.close();
  return open;
};

test('histories stay under 2,000 events and payloads under 256 KB, with more pages and models than fit', async () => {
  const long = { model: 'long', pages: 140 };
  const few = Array.from({ length: 66 }, (_, number) => ({ model: `few-${number}`, pages: 1 }));
  const failing = pageNames(long).slice(0, 20);
  const sweep = await openStubSweep(server, folder, 'sizes', { lanes: [long, ...few], tasks: 600, failing });
  await worker(sweep);
  const handle = await sweep.start('sweep', sweep.run);
  expect(await handle.result()).toEqual({ sealed: 186, stopped: {}, failed: 20 });
  expect(await openPagesIn(sweep.ledger)).toBe(0);

  const sizes = await historySizes(server.client, 'sizes');
  expect(Math.max(...sizes.map(({ events }) => events))).toBeLessThan(2_000);
  expect(Math.max(...sizes.map(({ payloadBytes }) => payloadBytes))).toBeLessThan(20_000);
  const histories = Map.groupBy(sizes, ({ type }) => type);
  // Two histories of the long lane; 64 lanes in the sweep, the rest in a workflow of their own.
  expect(histories.get('lane')).toHaveLength(2);
  expect(histories.get('lanes')).toHaveLength(1);
  expect(histories.get('references')).toHaveLength(1);
  expect(histories.get('pass')).toHaveLength(206);
});

long(`a lane whose worker is killed between its histories runs each page once and counts all${inFull}`, async () => {
  const lane = { model: 'killed', pages: 11 };
  const pages = pageNames(lane);
  const sweep = await openStubSweep(server, folder, 'kills', { lanes: [lane], tasks: 0, failing: [] });
  // Killed before the answer with the next pages arrives, then when the first of them opens.
  const [third, sixth] = [pages[2], pages[5]];
  const first = await worker(sweep, third);
  const handle = await sweep.start('lane', { run: sweep.run, model: 'killed', pagesPerTurn: 3 });
  await until(() => first.stdout().includes(`turn after ${third}`), first);
  await killed(first);

  const second = await worker(sweep, sixth);
  await until(() => second.stdout().includes(`page ${pages[3]}`), second);
  await killed(second);

  const last = await worker(sweep);
  expect(await handle.result()).toEqual({ sealed: 11, stopped: {}, failed: 0 });
  expect(await openPagesIn(sweep.ledger)).toBe(0);
  const sizes = await historySizes(server.client, 'kills');
  expect(sizes.filter(({ type }) => type === 'lane')).toHaveLength(4);
  expect(sizes.filter(({ type }) => type === 'pass').map(({ workflowId }) => workflowId)).toHaveLength(11);
  expect(last.isRunning()).toBe(true);
  // Later histories keep what the run's steps are called with.
  expect((await server.client.workflow.getHandle('kills').describe()).memo).toEqual({ heartbeatTimeoutMs: 4_000 });
});
