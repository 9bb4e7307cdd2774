/** A run's folder, or all runs, moved while the run is running; and a folder that cannot be written once finished. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFull, long } from '../support/forms/long.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { endOf } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { type SimulatedEndpoint, startSimulatedEndpoint } from '../support/endpoints/simulated-endpoint.ts';
import { type Gate, openGate } from '../support/gate.ts';

let deployment: Deployment;
let endpoint: SimulatedEndpoint;
let gate: Gate;

beforeAll(async () => {
  deployment = await openDeployment();
  endpoint = await startSimulatedEndpoint(join(deployment.folder, 'requests.jsonl'), 20);
  gate = await openGate(endpoint.url);
});
afterAll(async () => {
  await gate?.close();
  await endpoint?.close();
  await deployment?.close();
});

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const readOnly = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', readOnly, 'sh', '/tmp', 'true']).status === 0;

const specOf = (name: string, tasks = 2): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { sim: { kind: simulator, baseUrl: "${gate.url}", limits: { concurrency: 4 } } }
models: [{ id: steady, provider: sim }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: ${tasks} } } }
studies: [{ name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }]
`,
  );

test('a run whose folder is moved away says so; moved back, it continues; a read-only disk can show it', async () => {
  const spec = specOf('moved');
  gate.letThrough(1);
  const run = deployment.start('run', spec, '--no-probe');
  await until(() => gate.isHolding(), run);
  const folder = join(deployment.runsDir, 'moved');
  renameSync(folder, `${folder}-away`);
  gate.open();
  const end = await endOf(run);
  // Red before: exit status 1, "unexpected failure" and a stack trace.
  expect([end.status, end.stderr]).toEqual([
    2,
    expect.stringMatching(/moved {2}was moved or removed while the run was running: put it back/),
  ]);
  expect(end.stderr).not.toMatch(/unexpected failure|^\s+at |ENOENT|is gone/m);
  // Red before: workers left half a run in its place.
  expect(existsSync(folder)).toBe(false);
  renameSync(`${folder}-away`, folder);
  const resumed = await deployment.evenkeel('resume', 'moved');
  expect(resumed.status, resumed.output).toBe(0);
  if (!canMount) return;
  expectShownReadOnly(spec);
  expectNothingAsked();
}, 300_000);

test('a runs directory that is moved away is not created again; moved back, its run continues', async () => {
  gate.letThrough(1);
  const run = deployment.start('run', specOf('apart'), '--no-probe');
  await until(() => gate.isHolding(), run);
  renameSync(deployment.runsDir, `${deployment.runsDir}-away`);
  gate.open();
  const end = await endOf(run);
  expect([end.status, end.stderr]).toEqual([
    2,
    expect.stringMatching(/apart {2}was moved or removed while the run was running: put it back/),
  ]);
  expect(end.stderr).not.toMatch(/unexpected failure|^\s+at |ENOENT/m);
  // Red before: .temporal and .idle were created in the old place, so that `mv` moved the directory into them.
  expect(existsSync(deployment.runsDir)).toBe(false);
  renameSync(`${deployment.runsDir}-away`, deployment.runsDir);
  const resumed = await deployment.evenkeel('resume', 'apart');
  expect(resumed.status, resumed.output).toBe(0);
}, 300_000);

function withReadOnly(folder: string, args: readonly string[]) {
  const command = [process.execPath, main, ...args, '--runs-dir', deployment.runsDir];
  return spawnSync('unshare', ['-m', 'sh', '-c', readOnly, 'sh', folder, ...command], { encoding: 'utf8' });
}

/** As after another user has extended the run. Red before: it failed at its end, when all calls were paid for. */
function expectNothingAsked(): void {
  const folder = join(deployment.runsDir, 'moved', 'samples');
  const larger = specOf('moved', 3);
  const asked = endpoint.log().length;
  const { status, stderr } = withReadOnly(folder, ['run', larger, '--no-probe']);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/moved\/samples {2}cannot be written by this user/)]);
  expect(endpoint.log().length).toBe(asked);
}

/** Red before: `resume` wanted to write the report again; `run` and `report` named a temporary file. */
function expectShownReadOnly(spec: string): void {
  const onReadOnly = (...args: readonly string[]) => withReadOnly(deployment.runsDir, args);
  const resumed = onReadOnly('resume', 'moved');
  expect([resumed.status, resumed.stdout], resumed.stderr).toEqual([
    0,
    expect.stringContaining('run "moved": complete'),
  ]);
  expect(resumed.stderr).toMatch(/moved is read-only: report\.html was not updated/);
  const again = onReadOnly('run', spec);
  expect([again.status, again.stderr]).toEqual([2, expect.stringMatching(/runs\/moved .*"npx evenkeel resume moved"/)]);
  const report = onReadOnly('report', 'moved');
  expect([report.status, report.stderr]).toEqual([2, expect.stringMatching(/runs\/moved .*--out FILE/)]);
  // Red before: it named a temporary file.
  const repaired = onReadOnly('verify', '--repair', 'moved');
  expect([repaired.status, repaired.stderr]).toEqual([
    2,
    expect.stringMatching(/runs\/moved {2}is read-only, .* copy/),
  ]);
  // Red before: it advised --out, which does not help.
  const judged = onReadOnly('multiverse', 'moved');
  const remedy = /runs {2}is read-only.*: copy it and name the copy with --runs-dir, or .*--extraction own/;
  expect([judged.status, judged.stderr]).toEqual([2, expect.stringMatching(remedy)]);
}

long(
  `a run whose -shm was removed under the workers of a killed command is continued${inFull}`,
  async () => {
    gate.letThrough(1);
    const run = deployment.start('run', specOf('bared'), '--no-probe');
    await until(() => gate.isHolding(), run);
    run.process.kill('SIGKILL');
    await run.ended;
    rmSync(join(deployment.runsDir, 'bared', 'ledger.sqlite-shm'));
    const resumed = deployment.start('resume', 'bared', '--no-probe');
    await until(() => resumed.stderr().includes('cells'), resumed);
    gate.open();
    const end = await endOf(resumed);
    // Red before: the old workers removed the log of the new command, which ended with a stack trace.
    expect(end.stderr).not.toMatch(/unexpected failure|^\s+at /m);
    expect(end.status, end.output).toBe(0);
  },
  300_000,
);
