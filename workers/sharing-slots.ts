/** Slots for steps that ask, of which none is given out while steps are on their way from this process to another: it would take them back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit, TunerHolder } from '@temporalio/worker';

const lookMs = 50;

/** @param count steps at the same time at most */
export function sharingSlots(count: number, isGiving: () => boolean): CustomSlotSupplier<ActivitySlotInfo> {
  let taken = 0;
  return {
    type: 'custom',
    async reserveSlot(_context, signal): Promise<SlotPermit> {
      while (taken >= count || isGiving()) {
        await sleep(lookMs);
        // The signal's own reason: the SDK writes any other error to its log.
        signal.throwIfAborted();
      }
      taken += 1;
      return {};
    },
    tryReserveSlot: () => null,
    markSlotUsed: () => {},
    releaseSlot: () => {
      taken -= 1;
    },
  };
}

/** For a worker that serves nothing but such steps. */
export const sharingTuner = (count: number, isGiving: () => boolean): TunerHolder => ({
  workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  activityTaskSlotSupplier: sharingSlots(count, isGiving),
  localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
});
