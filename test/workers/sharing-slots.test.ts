import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotReserveContext } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { sharingSlots } from '../../workers/sharing-slots.ts';

const context: SlotReserveContext = {
  slotType: 'activity',
  taskQueue: 'q',
  workerIdentity: 'w',
  workerBuildId: 'b',
  isSticky: false,
};
const never = new AbortController().signal;

test('gives out the given number of slots, and the next once one is returned', async () => {
  const slots = sharingSlots(
    2,
    () => false,
    () => 0,
  );
  let given = 0;
  const all = [1, 2, 3].map(() => slots.reserveSlot(context, never).then(() => (given += 1)));
  await sleep(120);
  expect(given).toBe(2);
  slots.releaseSlot({ permit: {} });
  await Promise.all(all);
  expect(given).toBe(3);
});

test('gives out no slot while steps are handed over to another process', async () => {
  let isHandingOver = true;
  const slots = sharingSlots(
    1,
    () => isHandingOver,
    () => 0,
  );
  let isGiven = false;
  const slot = slots.reserveSlot(context, never).then(() => (isGiven = true));
  await sleep(120);
  expect(isGiven).toBe(false);
  isHandingOver = false;
  await slot;
  expect(isGiven).toBe(true);
});

test('a worker that ends stops waiting, with the reason of its signal', async () => {
  const ending = new AbortController();
  const waiting = sharingSlots(
    1,
    () => true,
    () => 0,
  ).reserveSlot(context, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toBe(ending.signal.reason);
});

test('steps that only wait take no slot', async () => {
  let waiting = 0;
  const slots = sharingSlots(
    1,
    () => false,
    () => waiting,
  );
  await slots.reserveSlot(context, never);
  let isGiven = false;
  const slot = slots.reserveSlot(context, never).then(() => (isGiven = true));
  await sleep(120);
  expect(isGiven).toBe(false);
  waiting = 1;
  await slot;
  expect(isGiven).toBe(true);
});
