/**
 * Programs are run in the step that asked for them, or by a process that does nothing else: the results are the same.
 */
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRun } from '../../activities/runs/plan-run.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { ownerLock } from '../../activities/storage/catalog/owner-lock.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { RunRef } from '../../schemas/steps.ts';
import type { Role } from '../../workers/roles.ts';
import { buildId } from '../../workers/build/build-id.ts';
import { pinningOn } from '../../workers/build/pinning.ts';
import { startSweep } from '../../workers/start-sweep.ts';
import { storeOf } from '../../workers/store.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { readServerRecord } from '../../workers/temporal/server-files.ts';
import { settingsEnvironment, type TemporalSettings } from '../../workers/temporal/settings.ts';
import { settingsOf } from '../../workers/temporal/start-server.ts';
import { defaultSplit, startWorkerProcesses } from '../../workers/worker-processes.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { stableRows } from '../support/stable-rows.ts';
import { badReplies, benchmarkText, courseLines, replayText, tinyTasks } from '../support/tiny-tasks.ts';

/** One task for each course: through all three loops, broken in the second, broken in the third, no code at first. */
const tasks = tinyTasks(4);
const replies = [
  ...tasks.slice(0, 3).flatMap((task, index) => courseLines(task, 3 - index, 3, badReplies.wrong_output(task))),
  { task_id: 'Tiny/4', step: 'generate', reply: badReplies.no_code() },
  { step: 'summarize', reply: 'Write a python function to add.' },
];
const spec = JSON.stringify({
  name: 'apart',
  models: [{ id: 'm', provider: 'replay', file: 'replies.jsonl' }],
  benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
  studies: [
    { name: 'loops', kind: 'evaloop', benchmark: 'tiny', extraction: 'last-defining', settings: { maxLoops: 3 } },
    {
      name: 'draws',
      kind: 'promptse',
      benchmark: 'tiny',
      settings: { variants: 1, samples: 2, rewriter: 'rules', logprobs: false },
    },
  ],
});

let deployment: Deployment;
let settings: TemporalSettings;
let client: Client;
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  deployment.write('replies.jsonl', replayText(replies));
  const server = readServerRecord(join(deployment.runsDir, '.temporal'));
  if (server === null) throw new Error('the deployment has no server');
  settings = settingsOf(server.port);
  client = await connectClient(settings);
});
afterAll(async () => {
  await client.connection.close();
  await deployment.close();
});

/** The same run by processes of those roles. */
async function swept(
  runId: string,
  split: readonly (readonly Role[])[],
): Promise<{ folder: string; steps: Record<string, number> }> {
  const { runsDir, folder: specFolder } = deployment;
  const sandbox = await openSandbox('auto', { processes: 1 });
  await sandbox.close();
  const file = { spec: parseSpec(spec, 'spec.json'), text: spec, folder: specFolder };
  const { home, ledger, manifest } = await planRun({ ...file, runsDir, runId, sandbox });
  const { folder } = home;
  const ownership = await ownerLock(folder).take();
  const complaints: string[] = [];
  const workers = startWorkerProcesses({
    split,
    env: { ...process.env, ...settingsEnvironment(settings), EVENKEEL_RUNS: runsDir },
    onLine: (line) => complaints.push(line),
    onGiveUp: (error) => complaints.push(error.message),
  });
  try {
    const ref: RunRef = { runId, uuid: manifest.uuid, epoch: await ledger.takeOver('test') };
    const pinning = await pinningOn(client.connection, settings.namespace, buildId());
    const store = storeOf(runsDir);
    const sweep = await startSweep(client, ref, { store, pinning, sandbox, heartbeatTimeoutMs: 20_000 });
    await sweep.result();
    const { state, stateDetail } = await readManifest(folder);
    expect(state, `${stateDetail}\n${complaints.join('\n')}`).toBe('complete');
    return { folder, steps: await stepsOf(ref.uuid) };
  } finally {
    await workers.stop({ callLimitMs: 60_000 });
    await ownership?.release();
    await ledger.close();
  }
}

/** How often each activity was scheduled by the run's pages. */
async function stepsOf(uuid: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { workflowId, type } of client.workflow.list()) {
    if (!workflowId.startsWith(uuid) || type === 'sweep') continue;
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    for (const event of events ?? []) {
      const name = event.activityTaskScheduledEventAttributes?.activityType?.name;
      if (name != null) counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

test('with both roles in a process a step runs its own programs; else pages have steps for them', async () => {
  const together = await swept('together', defaultSplit);
  const apart = await swept('apart', [['llm'], ['sandbox'], ['workflow', 'io']]);
  // Three loops and one step of draws.
  expect(together.steps).toMatchObject({ generate: 4 });
  expect(together.steps).not.toHaveProperty('execute');
  expect(apart.steps).toMatchObject({ generate: 4, execute: 4 });
  const rows = await stableRows(apart.folder, ['run']);
  expect(rows['verdicts']?.length).toBeGreaterThan(20);
  expect(rows).toEqual(await stableRows(together.folder, ['run']));
});
