/** A model under watch: what a Temporal Schedule does at each of its times. */
import { z } from 'zod';

export const watchOrder = z.strictObject({
  /** Name of the schedule; each run is named after it and the minute (UTC). */
  name: z.string(),
  /** Absolute paths, on the machine that serves the schedule. */
  spec: z.string(),
  policy: z.string(),
  /** The run that each new run is compared with. */
  against: z.string(),
});
export type WatchOrder = z.infer<typeof watchOrder>;

/** One execution of the schedule. */
export interface WatchStep extends WatchOrder {
  readonly run: string;
}

export interface WatchVerdict {
  readonly run: string;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
}
