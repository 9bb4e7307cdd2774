import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotReserveContext } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { spareTimeSlots } from '../../workers/spare-time-slots.ts';

const context: SlotReserveContext = {
  slotType: 'activity',
  taskQueue: 'q',
  workerIdentity: 'w',
  workerBuildId: 'b',
  isSticky: false,
};
const never = new AbortController().signal;
const release = { permit: {} };

/** Measurements that find the process as busy as `shares` says, one after another, and idle from then on. */
function looks(...shares: number[]) {
  let count = 0;
  const busy = async (): Promise<number> => {
    await sleep(1);
    count += 1;
    return shares[count - 1] ?? 0;
  };
  return { busy, count: () => count };
}

test('a busy process gives out no slot until it has time', async () => {
  const { busy, count } = looks(1, 0.9, 0.6, 0.1);
  await spareTimeSlots(busy).reserveSlot(context, never);
  expect(count()).toBe(4);
});

test('there is one slot: it is given out again after it was returned', async () => {
  const slots = spareTimeSlots(looks().busy);
  await slots.reserveSlot(context, never);
  let isGiven = false;
  const second = slots.reserveSlot(context, never).then(() => {
    isGiven = true;
  });
  await sleep(20);
  expect(isGiven).toBe(false);
  slots.releaseSlot(release);
  await second;
  expect(isGiven).toBe(true);
});

test('two waiting requests do not both get the slot', async () => {
  const slots = spareTimeSlots(looks().busy);
  let given = 0;
  for (let count = 0; count < 2; count += 1) void slots.reserveSlot(context, never).then(() => (given += 1));
  await sleep(20);
  expect(given).toBe(1);
  slots.releaseSlot(release);
});

test('a worker that ends stops waiting, with the reason of its signal: any other error is logged', async () => {
  const ending = new AbortController();
  const waiting = spareTimeSlots().reserveSlot(context, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toBe(ending.signal.reason);
});

test('an event loop that was blocked is measured once more', async () => {
  const startMs = performance.now();
  const given = spareTimeSlots().reserveSlot(context, never);
  while (performance.now() - startMs < 200);
  await given;
  // The measurement during the block ends with it, and the next one takes 50 ms.
  expect(performance.now() - startMs).toBeGreaterThan(240);
});
