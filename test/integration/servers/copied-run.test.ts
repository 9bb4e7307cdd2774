/** A runs directory that is copied while a run goes on there, and a sweep that another command took over. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { connectClient } from '../../../workers/temporal/connection.ts';
import { readServerRecord } from '../../../workers/temporal/server-files.ts';
import { settingsOf } from '../../../workers/temporal/start-server.ts';
import { endOf } from '../../support/command.ts';
import { executedAgain, openDeployment, type Deployment, until } from '../../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../support/gate.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 20);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

/** A run whose first answer is stored and whose next call waits. */
async function heldRun(name: string) {
  const spec = deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", probe: false, limits: { concurrency: 4 } } }
models: [{ id: steady, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 4 } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }]
`,
  );
  gate.letThrough(1);
  const run = deployment.start('run', spec);
  await until(() => gate.isHolding(), run);
  return run;
}

const serverOf = (runsDir: string): string => readFileSync(join(runsDir, '.temporal', 'server.json'), 'utf8');

// Red before: the copy took over the sweep on the original's server; the original ended with 1 and a stack trace, and
// the copy with 3 and "no longer knows this sweep".
test('a copy that is made while a run goes on is finished by its own server, and the original goes on', async () => {
  const run = await heldRun('copied');
  const copy = join(deployment.folder, 'copy');
  cpSync(deployment.runsDir, copy, { recursive: true });
  const original = serverOf(deployment.runsDir);
  const resuming = deployment.start('resume', 'copied', '--runs-dir', copy);
  await until(() => serverOf(copy) !== original, resuming);
  gate.open();
  const [end, resumed] = [await endOf(run), await endOf(resuming)];
  expect(end.status, end.output).toBe(0);
  expect(resumed.status, resumed.output).toBe(0);
  expect(resumed.stderr).toContain('this runs directory is a copy');
  expect(serverOf(deployment.runsDir)).toBe(original);
  for (const folder of [deployment.runsDir, copy]) {
    const checked = await deployment.evenkeel('verify', 'copied', '--runs-dir', folder);
    expect(checked.status, checked.output).toBe(0);
  }
}, 180_000);

/** Does as the command on a copy does where both use one server, such as a cluster. */
async function takeOver(client: Client, uuid: string): Promise<void> {
  await client.workflow.getHandle(`${uuid}/e1`).terminate('taken over by epoch 2');
  await client.workflow.start('sweep', { workflowId: `${uuid}/e2`, taskQueue: 'nobody', args: [] });
}

test('a run that was taken over at its server says so, and resume starts a sweep of its own', async () => {
  const run = await heldRun('taken');
  const { uuid } = await readManifest(join(deployment.runsDir, 'taken'));
  const { port = 0 } = readServerRecord(join(deployment.runsDir, '.temporal')) ?? {};
  const client = await connectClient(settingsOf(port));
  await takeOver(client, uuid);
  gate.open();
  // Red before: exit status 1 and a stack trace.
  const end = await endOf(run);
  expect(end.status, end.output).toBe(3);
  expect(end.stderr).toContain('the run is incomplete: another command took this run over');
  expect(end.stderr).toMatch(/Continue with:\n {2}.*resume taken/);
  // Red before: it joined that sweep, whose steps nobody takes, and waited without a word.
  const resumed = await deployment.evenkeel('resume', 'taken');
  expect(resumed.status, resumed.output).toBe(0);
  expect((await client.workflow.getHandle(`${uuid}/e2`).describe()).status.name).toBe('TERMINATED');
  await client.connection.close();
}, 120_000);
