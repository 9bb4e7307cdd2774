/** Steps on a full disk: they wait for space, ask nothing meanwhile, and end when it lasts. */
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { limitUnclassified } from '../../activities/attempts.ts';
import { createDiskWait } from '../../activities/disk-wait.ts';
import { isDiskFull } from '../../domain/errors.ts';

const minute = 60_000;

function diskOf(step: () => Promise<string>) {
  const disk = { free: 0, nowMs: 0, calls: 0 };
  const { look, wrap } = createDiskWait(
    '/runs',
    () => disk.free,
    () => disk.nowMs,
  );
  const counted = (): Promise<string> => {
    disk.calls += 1;
    return step();
  };
  const wrapped = limitUnclassified('generate', wrap(counted));
  const end = async (): Promise<unknown> => await wrapped('input').catch((error: unknown) => error);
  return { disk, end, look };
}
const full = new Error('database or disk is full');

// Red before: the fifth attempt was final, some 15 s after the first.
test('a step waits ten minutes for space, and is not called meanwhile', async () => {
  const { disk, end } = diskOf(() => Promise.reject(full));
  for (const at of [0, 1, 5, 9.9]) {
    disk.nowMs = at * minute;
    const failure = await end();
    expect(failure).toMatchObject({ type: 'DiskFull', nonRetryable: false, nextRetryDelay: '5 seconds' });
    expect(isDiskFull(failure)).toBe(true);
  }
  expect(disk.calls).toBe(1);
  disk.nowMs = 10 * minute;
  const last = await end();
  expect(last).toBeInstanceOf(ApplicationFailure);
  expect(last).toMatchObject({ nonRetryable: true, message: 'ENOSPC: the disk of /runs has been full for 10 minutes' });
  expect(disk.calls).toBe(1);
});

// Red before: it waited ten minutes of its own, as a page's failure does that is noted by another process.
test('a step that begins late waits no longer than those before it', async () => {
  const { disk, end, look } = diskOf(() => Promise.reject(full));
  look();
  disk.nowMs = 11 * minute;
  expect(await end()).toMatchObject({ type: 'DiskFull', nonRetryable: true });
  expect(disk.calls).toBe(1);
});

test('with space the step is called again, and a later full disk is waited for as long', async () => {
  const answers = [full, null, full];
  const { disk, end } = diskOf(async () => {
    const fault = answers.shift() ?? null;
    if (fault !== null) throw fault;
    return 'done';
  });
  expect(await end()).toMatchObject({ type: 'DiskFull' });
  disk.free = 2e6;
  expect(await end()).toBe('done');
  disk.free = 0;
  disk.nowMs = 20 * minute;
  expect(await end()).toMatchObject({ type: 'DiskFull', nonRetryable: false });
});

test('another disk that is full has five attempts, like every other fault', async () => {
  const { disk, end } = diskOf(() => Promise.reject(new Error("ENOSPC: no space left on device, write '/tmp/x'")));
  disk.free = 5e9;
  const ends = [];
  for (let attempt = 0; attempt < 5; attempt += 1) ends.push(await end());
  expect(ends[3]).not.toBeInstanceOf(ApplicationFailure);
  expect(ends[4]).toMatchObject({ type: 'Unclassified', nonRetryable: true });
});
