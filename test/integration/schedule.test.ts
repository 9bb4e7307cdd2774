/**
 * Schedules on a real Temporal server. The commands that they start are simulated: each test sets their exit status.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OpenTemporal, openTemporal } from '../../workers/open-temporal.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { createSchedule, deleteSchedule, listSchedules, triggerSchedule } from '../../workers/watch/schedules.ts';
import { serveWatch, type WatchServing } from '../../workers/watch/serve-watch.ts';
import { manifest } from '../activities/storage/manifest-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
const runsDir = join(folder, 'runs');
const orderOf = (name: string) => ({
  name,
  spec: '/specs/nightly.yaml',
  policy: '/specs/policy.yaml',
  against: 'baseline',
});
/** By verb. */
let statuses: Readonly<Record<string, number>> = {};
let typed: string[][] = [];
/** What a command leaves behind. */
let leave: (words: readonly string[]) => void = () => undefined;
let temporal: OpenTemporal;
let client: Client;
let serving: WatchServing;

beforeAll(async () => {
  const onLine = (): void => undefined;
  temporal = await openTemporal({
    runsDir,
    env: { ...process.env, TEMPORAL_ADDRESS: undefined },
    onLine,
    onGiveUp: () => undefined,
  });
  client = await connectClient(temporal.settings);
  const program = (words: readonly string[]) => {
    typed.push([...words]);
    leave(words);
    return Promise.resolve({ status: statuses[words[0] ?? ''] ?? 0, said: 'said so' });
  };
  serving = await serveWatch({
    temporal: temporal.settings,
    runsDir,
    specsDir: '/specs',
    cacheDir: cacheFolder(process.env),
    program,
    onLine,
  });
});

afterAll(async () => {
  serving?.drain();
  await serving?.done;
  await client?.connection.close();
  await temporal?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Waits for what a trigger has started. */
async function resultOf(name: string, ends: Readonly<Record<string, number>>): Promise<unknown> {
  statuses = ends;
  typed = [];
  await createSchedule(client, runsDir, orderOf(name), '17 3 * * *');
  await triggerSchedule(client, runsDir, name);
  for (;;) {
    const started = (await listSchedules(client, runsDir)).find((one) => one.name === name)?.recent[0];
    if (started !== undefined) return await client.workflow.getHandle(started).result();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('each trigger runs the spec under a name with the minute and compares it with the baseline', async () => {
  const verdict = await resultOf('nightly', { gate: 5 });
  const [[, , , run] = [], gate] = typed;
  expect(run).toMatch(/^nightly-\d{4}-\d\d-\d\d-\d{4}$/);
  expect(verdict).toEqual({ run, outcome: 'inconclusive' });
  expect(typed[0]).toEqual(['run', '/specs/nightly.yaml', '--run', run, '--runs-dir', runsDir]);
  expect(gate?.slice(0, 6)).toEqual(['gate', run, '--against', 'baseline', '--policy', '/specs/policy.yaml']);
});

test('a failed gate is a failed workflow; bad input is not retried, and nothing is judged', async () => {
  await expect(resultOf('worse', { gate: 4 })).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^run worse-.* failed the gate$/) },
  });
  await expect(resultOf('wrong', { run: 2 })).rejects.toMatchObject({
    cause: { cause: { message: 'evenkeel run ended with status 2: said so' } },
  });
  expect(typed).toHaveLength(1);
});

// Red before: it was run again after 30 seconds, up to 20 times: stopped at once each time, or against a person's will.
test.each([
  ['its budget', 'budget: 2 pages stopped, 0 failed'],
  ['a person’s pause', 'model_stopped, paused: 2 pages stopped, 0 failed'],
  ['a person’s cancel', 'cancelled: 2 pages stopped, 0 failed'],
])(
  'a run stopped by %s is not run again, and not judged',
  async (_what, stateDetail) => {
    leave = ([, , , run = '']) => {
      mkdirSync(join(runsDir, run), { recursive: true });
      const stopped = { ...manifest, runId: run, state: 'incomplete', stateDetail };
      writeFileSync(join(runsDir, run, 'manifest.json'), JSON.stringify(stopped));
    };
    onTestFinished(() => {
      leave = () => undefined;
    });
    await expect(resultOf(`stopped-${stateDetail.length}`, { run: 3 })).rejects.toMatchObject({
      cause: { cause: { message: 'evenkeel run ended with status 3: said so' } },
    });
    expect(typed).toHaveLength(1);
  },
  20_000,
);

test('schedules are listed with their next time, created once, and gone after deletion', async () => {
  await createSchedule(client, runsDir, orderOf('daily'), '17 3 * * *');
  await expect(createSchedule(client, runsDir, orderOf('daily'), '18 3 * * *')).rejects.toThrow(
    'schedule "daily" already exists',
  );
  await expect(createSchedule(client, runsDir, orderOf('never'), '17 3 * * someday')).rejects.toThrow(
    'Temporal cannot read the cron expression',
  );
  await expect(createSchedule(client, runsDir, orderOf('never'), '17 3 30 2 *')).rejects.toThrow(
    'the cron expression "17 3 30 2 *" never comes',
  );
  const daily = async () => (await listSchedules(client, runsDir)).find(({ name }) => name === 'daily');
  expect(await daily()).toMatchObject({
    ...orderOf('daily'),
    cron: '17 3 * * *',
    next: expect.stringMatching(/T03:17:00.000Z$/),
    recent: [],
  });
  expect((await listSchedules(client, runsDir)).map(({ name }) => name)).not.toContain('never');
  expect(await listSchedules(client, `${runsDir}-other`)).toEqual([]);
  await deleteSchedule(client, runsDir, 'daily');
  expect(await daily()).toBeUndefined();
  await expect(deleteSchedule(client, runsDir, 'daily')).rejects.toThrow('no schedule "daily"');
});
