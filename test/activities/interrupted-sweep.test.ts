/** How a sweep ends whose pages stopped: the state that the manifest keeps. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createAccounts } from '../../activities/calls/accounts/accounts.ts';
import { createRuns } from '../../activities/runs/runs.ts';
import { ownerLock } from '../../activities/storage/catalog/owner-lock.ts';
import { createSweep } from '../../activities/sweep.ts';
import { planFolder } from './estimate/planned-spec.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';

// Red before: "paused" in each case, although nobody had paused the first two.
test.each([
  ['its command was killed', null, false, 'interrupted: 3 pages stopped, 0 failed'],
  ['its command was interrupted', 'interrupted', false, 'interrupted: 3 pages stopped, 0 failed'],
  ['a user paused it', 'paused by the user', false, 'paused: 3 pages stopped, 0 failed'],
  ['a worker cannot go on with it', null, true, 'paused: 3 pages stopped, 0 failed'],
] as const)('a sweep that ends because %s', async (_cause, stop, isOwned, detail) => {
  const { home, ledger, manifest } = await planFolder().begin({
    tasks: 3,
    models: '[{ id: a, provider: account }]',
    studies,
  });
  const owner = isOwned ? await ownerLock(home.folder).take() : null;
  const { runId, uuid } = manifest;
  const epoch = await ledger.takeOver('a test');
  if (stop !== null) await ledger.setStop(null, 'paused', stop);
  const runsDir = dirname(home.folder);
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const { finishSweep } = createSweep({
    ...{ runsDir, runs },
    heartbeat: (work) => work(new AbortController().signal, { step: '1', attempt: 1 }),
  });
  await finishSweep({ run: { runId, uuid, epoch }, report: { sealed: 0, stopped: { paused: 3 }, failed: 0 } });
  expect(await home.manifest()).toMatchObject({ state: 'incomplete', stateDetail: detail });
  await runs.close();
  await ledger.close();
  await owner?.release();
});
