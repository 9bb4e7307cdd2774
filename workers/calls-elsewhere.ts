/** Calls of this run that are made by workers of other commands on the same server, when this command stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { interruption } from '../schemas/states.ts';
import type { Ledger } from '../activities/storage/ledger/ledger.ts';

const lookMs = 250;

/** No worker sends a new call of the run; the next start lifts this. To a reader it is no more than interrupted. */
export const stopAtOthers = (ledger: Pick<Ledger, 'setStop'>): Promise<void> =>
  ledger.setStop(null, 'paused', interruption);

export interface Waiting {
  readonly ledger: Pick<Ledger, 'progress'>;
  /** Longest time that a call may take, milliseconds. */
  readonly callLimitMs: number;
  /** Aborted when the calls are not to be waited for. */
  readonly leave: AbortSignal;
}

/** Resolves when every call in flight has its answer stored, and at the latest when the calls must have ended. */
export async function untilAnswered({ ledger, callLimitMs, leave }: Waiting): Promise<void> {
  const lastMs = performance.now() + callLimitMs;
  while (!leave.aborted && performance.now() < lastMs && (await ledger.progress()).liveIntents > 0) await sleep(lookMs);
}
