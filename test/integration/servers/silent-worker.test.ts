/** A worker of a run that is stopped, not dead: who watches the run is told. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Deployment, openDeployment, until } from '../../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../../support/gate.ts';
import { descendantsOf, hasProcessTable, variableOf } from '../../support/processes.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment();
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 5);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

// Red before: the line stayed at 0.0/s for 200 s, and `status` said only how many calls are in flight.
test.runIf(hasProcessTable)(
  'the line and `status` name a stopped worker, and the run goes on with it',
  async () => {
    const spec = deployment.write(
      'held.yaml',
      `name: held
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 2 } } }
models: [{ id: steady, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 2 } } }
studies: [{ name: pass, kind: pass, benchmark: starter, settings: { samples: 1 } }]
`,
    );
    gate.letThrough(0);
    const run = deployment.start('run', spec, '--no-probe');
    await until(() => gate.isHolding(), run);
    const worker = descendantsOf(run.pid).find(({ pid }) => variableOf(pid, 'EVENKEEL_ROLES') === 'llm,sandbox,seal');
    const pid = worker?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const said = `worker ${pid} \\(llm\\+sandbox\\+seal\\) has not answered for \\d+ s: stopped \\(state T in ps\\)`;
    try {
      const startMs = performance.now();
      await until(() => new RegExp(`^${said}`, 'm').test(run.stderr()), run);
      expect(performance.now() - startMs).toBeLessThan(40_000);
      await until(() => new RegExp(`cells · .* · ${said}`).test(run.stderr()), run);
      const { stdout } = await deployment.evenkeel('status', 'held');
      expect(stdout).toMatch(new RegExp(`^${said}; \`kill -CONT ${pid}\` lets it go on$`, 'm'));
      const { stdout: json } = await deployment.evenkeel('status', 'held', '--json');
      expect(JSON.parse(json)).toMatchObject({ state: 'running', silentWorkers: [{ pid, state: 'T' }] });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(() => run.stderr().includes(`worker ${pid} (llm+sandbox+seal) answers again`), run);
    expect((await deployment.evenkeel('status', 'held')).stdout).not.toContain('has not answered');
    gate.open();
    expect(await run.ended, run.output()).toBe(0);
  },
  180_000,
);
