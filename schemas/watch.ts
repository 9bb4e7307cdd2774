/** A model that is watched: what a Temporal Schedule has done each time. */
import { z } from 'zod';

export const watchOrder = z.strictObject({
  /** The schedule's; runs are named for it and the minute, UTC. */
  name: z.string(),
  /** Absolute paths, on the machine that serves the schedule. */
  spec: z.string(),
  policy: z.string(),
  /** The run that each one is held against. */
  against: z.string(),
});
export type WatchOrder = z.infer<typeof watchOrder>;

/** One time. */
export interface WatchStep extends WatchOrder {
  readonly run: string;
}

export interface WatchVerdict {
  readonly run: string;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
}
