/** Whether work on a page may go on. */
import type { ApplicationFailure } from '@temporalio/common';
import { shortDetail } from '../../domain/short-detail.ts';
import type { StopReason } from '../../schemas/states.ts';
import { draining, stopped } from '../failures.ts';
import type { RunPage } from './opened/run.ts';

/** Rejects if this worker is stopping, or if the page's run has no owner or is stopped for this model. */
export async function checkControl(page: RunPage, drain: AbortSignal): Promise<void> {
  if (drain.aborted) throw draining();
  await page.run.checkOwner();
  const stop = await page.run.ledger.stopOf(page.model);
  if (stop) throw pageStopped(page, stop.reason, stop.detail);
}

/** Names the run, since a worker may work for several commands' runs and each of them shows its notes. */
export const pageStopped = (page: RunPage, reason: StopReason, detail: string): ApplicationFailure =>
  stopped(reason, `run "${page.run.runId}": ${shortDetail(detail)}`);
