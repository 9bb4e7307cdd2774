/**
 * Slots for work that any process may do, in a process with another main job:
 * one at a time, while its event loop has time to spare.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit, TunerHolder } from '@temporalio/worker';

/** Length of one measurement of the event loop; repeated until it has time. */
const sampleMs = 50;
/** Largest busy share of that time, 0 to 1, at which a slot is given out. */
const maxBusyShare = 0.5;

/** Busy share of the event loop over the next `sampleMs`, 0 to 1. */
async function busyShare(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await sleep(sampleMs);
  return performance.eventLoopUtilization(before).utilization;
}

/** @param busy measures how busy the process is, 0 to 1; takes a while */
export function spareTimeSlots(busy: () => Promise<number> = busyShare): CustomSlotSupplier<ActivitySlotInfo> {
  let isTaken = false;
  return {
    type: 'custom',
    async reserveSlot(_context, signal): Promise<SlotPermit> {
      let isBusy = true;
      while (isBusy || isTaken) {
        isBusy = (await busy()) > maxBusyShare;
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

/** For a worker that serves only such activities. */
export const spareTimeTuner = (): TunerHolder => ({
  workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  activityTaskSlotSupplier: spareTimeSlots(),
  localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
});
