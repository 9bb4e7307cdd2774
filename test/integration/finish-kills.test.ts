/**
 * Kills at file operations of sealing, finishing and publishing: some points here, newly drawn each time, all of them
 * in test/soak.
 */
import { randomInt } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import { verifyRun } from '../../activities/storage/verify/verify.ts';
import { stableRows } from '../support/stable-rows.ts';
import { type AnsweredRun, answeredRun } from '../support/answered-run.ts';
import { expectReadable, killedAt, leastPoints, survivesKill } from '../support/kills/finish-kills.ts';

let deployment: Deployment;
let answered: AnsweredRun;

beforeAll(async () => {
  deployment = await openDeployment();
  answered = await answeredRun(deployment);
});
afterAll(() => deployment?.close());

// Red before: the tables that the stop had left stayed in `superseded` until `gc`, seven to fifteen files.
test('a run that was stopped and went on leaves no replaced files', async () => {
  expect(globSync('*/*.parquet', { cwd: join(deployment.runsDir, answered.half) })).not.toEqual([]);
  expect(await killedAt(deployment.runsDir, answered.half, 'resumed', 10 * leastPoints)).toBe(false);
  const folder = join(deployment.runsDir, 'resumed');
  expect(existsSync(join(folder, 'superseded'))).toBe(false);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, problems: [], notes: [], strays: [] });
  await expectReadable(folder, 'resumed');
  expect(await stableRows(folder)).toEqual(answered.truth);
});

test('a finish killed at any file operation leaves a readable run, and ends like an undisturbed one', async () => {
  const seed = Number(process.env['EVENKEEL_FAULT_SEED'] ?? randomInt(2 ** 31));
  process.stdout.write(`points come from EVENKEEL_FAULT_SEED=${seed}\n`);
  const random = uniform(seedOf('finish', seed));
  for (let count = 0; count < 6; count += 1) {
    const point = 1 + Math.floor(random() * leastPoints);
    expect(await survivesKill(deployment.runsDir, answered, point)).toBe(true);
  }
  expect(await killedAt(deployment.runsDir, answered.half, 'undisturbed', 10 * leastPoints)).toBe(false);
});
