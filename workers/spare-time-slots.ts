/** Slots for work that any process may do, given out by a process that has a task of its own: one at a time, while its event loop has time to spare. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit, TunerHolder } from '@temporalio/worker';

/** The event loop is looked at over so long, again and again until it has time. */
const lookMs = 50;
/** Share of that time in which it may have been busy. */
const mostBusy = 0.5;

/** Share of the next milliseconds in which the event loop is busy, 0 to 1. */
async function busyShare(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await sleep(lookMs);
  return performance.eventLoopUtilization(before).utilization;
}

/** @param busy tells how busy the process is, and takes a while for it */
export function spareTimeSlots(busy: () => Promise<number> = busyShare): CustomSlotSupplier<ActivitySlotInfo> {
  let isTaken = false;
  return {
    type: 'custom',
    async reserveSlot(_context, signal): Promise<SlotPermit> {
      let isBusy = true;
      while (isBusy || isTaken) {
        isBusy = (await busy()) > mostBusy;
        // The signal's own reason: the SDK writes any other error to its log.
        signal.throwIfAborted();
      }
      isTaken = true;
      return {};
    },
    tryReserveSlot: () => null,
    markSlotUsed: () => {},
    releaseSlot: () => {
      isTaken = false;
    },
  };
}

/** For a worker that serves nothing but such activities. */
export const sparingTuner = (): TunerHolder => ({
  workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  activityTaskSlotSupplier: spareTimeSlots(),
  localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
});
