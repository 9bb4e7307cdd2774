/** What sweeps of version 0.1 have in their histories: lists of pages. */
import type { LanePage, RunRef } from '../../schemas/steps.ts';

export interface ListedLane {
  readonly run: RunRef;
  readonly model: string;
  readonly inFlight?: number;
  readonly pages: readonly LanePage[];
}

export interface ListedPlan {
  readonly lanes: readonly Omit<ListedLane, 'run'>[];
  readonly variants?: readonly string[];
  readonly posets?: readonly string[];
  readonly preparations: readonly { readonly benchmark: string; readonly start: number; readonly end: number }[];
  readonly batches?: boolean;
}
