/**
 * A run's programs run in the sandbox that it was planned for, whichever worker serves its directory and whatever the
 * settings are now.
 */
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRun } from '../../activities/runs/plan-run.ts';
import type { SandboxIdentity } from '../../activities/judging/execution-key.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { readServerRecord } from '../../workers/temporal/server-files.ts';
import { settingsEnvironment } from '../../workers/temporal/settings.ts';
import { settingsOf } from '../../workers/temporal/start-server.ts';
import { startWorkerProcesses, type WorkerProcesses } from '../../workers/worker-processes.ts';
import { runCommand } from '../support/command.ts';
import { executedAgain, type Deployment, openDeployment } from '../support/deployment.ts';
import { readyLine } from '../support/other-sandbox-worker.ts';

const specOf = (name: string): string =>
  JSON.stringify({
    name,
    models: ['m', 'n', 'o', 'p'].map((id) => ({ id, provider: 'simulated' })),
    benchmarks: { starter: { format: 'evenkeel', path: starterBenchmark, tasks: { limit: 6 } } },
    studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'starter', settings: { maxLoops: 3, judge: 'none' } }],
  });

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
});
afterAll(() => deployment.close());

/** Workers like those of a command with another sandbox; resolves when they serve. */
async function workersWithAnotherSandbox(complaints: string[]): Promise<WorkerProcesses> {
  const server = readServerRecord(join(deployment.runsDir, '.temporal'));
  if (server === null) throw new Error('the deployment has no server');
  const ready = Promise.withResolvers<void>();
  const workers = startWorkerProcesses({
    split: [['llm', 'sandbox', 'seal']],
    env: { ...process.env, ...settingsEnvironment(settingsOf(server.port)), EVENKEEL_RUNS: deployment.runsDir },
    entry: fileURLToPath(new URL('../support/other-sandbox-worker.ts', import.meta.url)),
    onLine: (line) => (line === readyLine ? ready.resolve() : complaints.push(line)),
    onGiveUp: ready.reject,
  });
  await ready.promise;
  return workers;
}

// Red where one queue serves all sandboxes: references get the other image's key, and pages fail for good.
test('workers of another sandbox take none of its programs, and no step fails', async () => {
  const complaints: string[] = [];
  const workers = await workersWithAnotherSandbox(complaints);
  try {
    const { status, output } = await deployment.evenkeel('run', deployment.write('beside.json', specOf('beside')));
    expect(status, output).toBe(0);
    expect(output).not.toContain('Activity failed');
    expect(complaints).toEqual([]);
  } finally {
    await workers.stop({ callLimitMs: 10_000 });
  }
  const { imageDigest } = await openSandbox();
  const rows = await deployment.rows('beside', 'select distinct image_digest from executions');
  expect(rows).toEqual([{ image_digest: imageDigest }]);
});

/** A run of that name that is planned but not started. */
async function planned(name: string, sandbox: SandboxIdentity): Promise<void> {
  const text = specOf(name);
  const { folder: specFolder, runsDir } = deployment;
  const file = { spec: parseSpec(text, 'spec.json'), text, folder: specFolder };
  await (await planRun({ ...file, runsDir, runId: name, sandbox })).ledger.close();
}

const resume = (name: string, env: NodeJS.ProcessEnv) =>
  runCommand(['resume', name, '--runs-dir', deployment.runsDir], { ...process.env, ...env });

test('it continues in its own tier where the machine would choose another', async () => {
  await planned('elsewhere', await openSandbox());
  const env = { EVENKEEL_SANDBOX: 'container', DOCKER_HOST: 'unix:///nowhere.sock' };
  const { status, output } = await resume('elsewhere', env);
  expect(status, output).toBe(0);
  expect(await deployment.rows('elsewhere', 'select distinct tier from executions')).toEqual([{ tier: 'embedded' }]);
});

test('a sandbox that has changed since planning is refused before any call', async () => {
  await planned('renewed', { ...(await openSandbox()), imageDigest: 'the image before' });
  const { status, output } = await resume('renewed', {});
  expect(status, output).toBe(2);
  expect(output).toContain('the run was planned for the sandbox');
  expect(output).toContain('the image before');
});
