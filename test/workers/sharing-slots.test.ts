import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotReserveContext } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { sharingSlots } from '../../workers/sharing-slots.ts';

const context: SlotReserveContext = { slotType: 'activity', taskQueue: 'q', workerIdentity: 'w', workerBuildId: 'b', isSticky: false };
const never = new AbortController().signal;

test('so many slots and no more, until one comes back', async () => {
  const slots = sharingSlots(2, () => false);
  let given = 0;
  const all = [1, 2, 3].map(() => slots.reserveSlot(context, never).then(() => (given += 1)));
  await sleep(120);
  expect(given).toBe(2);
  slots.releaseSlot({ permit: {} });
  await Promise.all(all);
  expect(given).toBe(3);
});

test('none while steps are on their way to another process', async () => {
  let isGiving = true;
  const slots = sharingSlots(1, () => isGiving);
  let isGiven = false;
  const slot = slots.reserveSlot(context, never).then(() => (isGiven = true));
  await sleep(120);
  expect(isGiven).toBe(false);
  isGiving = false;
  await slot;
  expect(isGiven).toBe(true);
});

test('a worker that ends waits no longer, and is told so by the signal itself', async () => {
  const ending = new AbortController();
  const waiting = sharingSlots(1, () => true).reserveSlot(context, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toBe(ending.signal.reason);
});
