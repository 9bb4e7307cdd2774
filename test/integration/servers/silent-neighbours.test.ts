/** Runs of one folder share their workers: one that somebody stops holds up the others, and their ends. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';
import type { Command } from '../../support/command.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../support/gate.ts';
import { descendantsOf, hasProcessTable, lookAt, variableOf } from '../../support/processes.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment({ EVENKEEL_HEARTBEAT_TIMEOUT_MS: '6000', EVENKEEL_HEARTBEAT_THROTTLE_MS: '1000' });
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 5);
});
beforeEach(async () => {
  gate = await openGate(endpoint.url);
  return () => gate.close();
});
afterAll(async () => {
  await endpoint?.close();
  await deployment?.close();
});

const specOf = (name: string): string =>
  deployment.write(
    `${name}.yaml`,
    `name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", timeoutMs: 600000, limits: { concurrency: 2 } } }
models: [{ id: steady, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 2 } } }
studies: [{ name: pass, kind: pass, benchmark: starter, settings: { samples: 1 } }]
`,
  );

/** Stops the worker that asks models for a run, and returns its pid. */
function stopAskingWorker(run: Command): number {
  const worker = descendantsOf(run.pid).find(({ pid }) => variableOf(pid, 'EVENKEEL_ROLES') === 'llm,sandbox,seal');
  if (worker === undefined) throw new Error(`no worker asks models:\n${run.output()}`);
  process.kill(worker.pid, 'SIGSTOP');
  return worker.pid;
}

// Red before: none of the three said why the second run stood still.
test.runIf(hasProcessTable)(
  'the line, `status` and `pause` of a run name the stopped worker of another',
  async () => {
    gate.letThrough(0);
    const other = deployment.start('run', specOf('other'), '--no-probe');
    await until(() => gate.isHolding(), other);
    const pid = stopAskingWorker(other);
    const named = new RegExp(
      `worker ${pid} \\(llm\\+sandbox\\+seal\\) of run "other" (does not answer|has not answered for \\d+ s): ` +
        `stopped \\(state T in ps\\); \`kill -CONT ${pid}\` lets it go on, \`kill -KILL ${pid}\` ends it; ` +
        'it may hold steps of this run',
    );
    const run = deployment.start('run', specOf('held'), '--no-probe');
    try {
      await until(() => named.test(run.stderr()), run);
      expect((await deployment.evenkeel('status', 'held')).stdout).toMatch(named);
      const { stdout: json } = await deployment.evenkeel('status', 'held', '--json');
      expect(JSON.parse(json)).toMatchObject({ silentWorkers: [{ pid, state: 'T', run: 'other' }] });
      expect((await deployment.evenkeel('pause', 'held')).stderr).toMatch(named);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    gate.open();
    await run.ended;
    expect(await other.ended, other.output()).toBe(0);
  },
  300_000,
);

// Red before: it waited 615 s, as long as a call may take and a while.
test.runIf(hasProcessTable)(
  'a run that others finish ends although its own worker is stopped, and says that it ended that one',
  async () => {
    gate.letThrough(0);
    const run = deployment.start('run', specOf('finished'), '--no-probe');
    await until(() => gate.isHolding(), run);
    const pid = stopAskingWorker(run);
    const joined = deployment.start('worker', '--roles', 'llm,sandbox,seal', '--runs-dir', deployment.runsDir);
    gate.open();
    const startMs = performance.now();
    expect(await run.ended, run.output()).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(120_000);
    expect(lookAt(pid)).toBeNull();
    expect(run.stderr()).toMatch(new RegExp(`^ended worker ${pid} .* has not answered for \\d+ s: .*none of its`, 'm'));
    expect(run.stderr()).not.toContain('busy or stuck');
    expect((await deployment.evenkeel('status', 'finished')).stdout).toMatch(/^finished: complete/);
    joined.process.kill('SIGTERM');
    expect(await joined.ended).toBe(0);
  },
  240_000,
);
