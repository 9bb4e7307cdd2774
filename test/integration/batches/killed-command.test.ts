/**
 * The whole command is killed while its batches wait, with all that it started, again and again: `resume` finds the
 * batches, and nothing is paid twice.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFull, long } from '../../support/forms/long.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { uniform } from '../../../domain/random.ts';
import { type Command, endOf } from '../../support/command.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { type BatchingServer, startBatchingServer } from '../../support/endpoints/batch-endpoint.ts';
import { ledgerNumber } from '../../support/ledger-look.ts';
import { descendantsOf, hasProcessTable } from '../../support/processes.ts';
import { stableRows } from '../../support/stable-rows.ts';

let deployment: Deployment;
let server: BatchingServer;
beforeAll(async () => {
  deployment = await openDeployment();
  server = await startBatchingServer(deployment.folder, { able: { ms: 1500 } });
});
afterAll(async () => {
  await server?.close();
  await deployment?.close();
});

const specOf = (name: string): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
providers: { sim: { kind: openai, baseUrl: "${server.url}" } }
models: [{ id: able, provider: sim, mode: batch, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 4 } }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: 3 } } }
studies:
  - { name: samples, kind: pass, benchmark: starter, settings: { samples: 2 } }
  - { name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 2, judge: none } }
`,
  );

const killsAtMost = 3;

/** Kills the command and its workers; they cannot say anything more. */
async function killAll(command: Command): Promise<void> {
  for (const { pid } of [...descendantsOf(command.pid), { pid: command.pid }]) process.kill(pid, 'SIGKILL');
  await command.ended;
}

const note = hasProcessTable ? inFull : ' (skipped: needs /proc to find the processes to kill)';
(hasProcessTable ? long : test.skip)(`killed while batches wait, a run pays no answer twice${note}`, async () => {
  const calm = await deployment.evenkeel('run', specOf('calm'));
  expect(calm.status, calm.output).toBe(0);
  const paid = server.answered().length;

  const seed = Date.now() % 1e6;
  const random = uniform(seed);
  const folder = join(deployment.runsDir, 'killed');
  const waiting = (): number => ledgerNumber(folder, "select count(*) from intent where state = 'batched'") ?? 0;
  let kills = 0;
  let command = deployment.start('run', specOf('killed'));
  for (; kills < killsAtMost; kills += 1) {
    while (command.isRunning() && waiting() === 0) await sleep(20);
    await sleep(2000 * random());
    if (!command.isRunning()) break;
    await killAll(command);
    command = deployment.start('resume', 'killed');
  }
  const end = await endOf(command);
  expect(end.status, `seed ${seed}\n${end.output}`).toBe(0);
  expect(kills).toBeGreaterThan(1);
  expect(server.answered().length - paid, `seed ${seed}`).toBe(paid);
  expect(await stableRows(folder, ['run'])).toEqual(await stableRows(join(deployment.runsDir, 'calm'), ['run']));
  expect(ledgerNumber(folder, 'select reserved_nano_usd + reserved_tokens + lost from run')).toBe(0);
});

const name = 'a run that is paused after its command was killed says that its batch goes on';
test.runIf(hasProcessTable)(`${name}${hasProcessTable ? '' : note}`, async () => {
  const folder = join(deployment.runsDir, 'left');
  const command = deployment.start('run', specOf('left'));
  while (command.isRunning() && !((ledgerNumber(folder, 'select count(endpoint_id) from batch') ?? 0) > 0))
    await sleep(20);
  await killAll(command);
  const paused = await deployment.evenkeel('pause', 'left');
  expect(paused.status, paused.output).toBe(0);
  expect(paused.stderr).toMatch(/no process works on this run, so 1 batch at the endpoint goes on and may be billed/);
  const resumed = await deployment.evenkeel('resume', 'left');
  expect(resumed.status, resumed.output).toBe(0);
});
