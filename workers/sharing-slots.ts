/**
 * Slots for steps that ask models. No slot is given out while this process hands steps over to another one:
 * it would take them back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit, TunerHolder } from '@temporalio/worker';

const pollMs = 50;

/**
 * @param count highest number of concurrent steps
 * @param waiting how many of those that run only wait: they take no slot
 */
export function sharingSlots(
  count: number,
  isHandingOver: () => boolean,
  waiting: () => number,
): CustomSlotSupplier<ActivitySlotInfo> {
  let taken = 0;
  return {
    type: 'custom',
    async reserveSlot(_context, signal): Promise<SlotPermit> {
      while (taken - waiting() >= count || isHandingOver()) {
        await sleep(pollMs);
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

/** For a worker that serves only such steps. */
export const sharingTuner = (...slots: Parameters<typeof sharingSlots>): TunerHolder => ({
  workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  activityTaskSlotSupplier: sharingSlots(...slots),
  localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
});
