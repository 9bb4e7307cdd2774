/** Batches of a run: one step of the sweep tends them all while the pages that asked wait for their answers. */
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { RunRef } from '../schemas/steps.ts';
import { closingLlm, llm } from './activities.ts';
import { stopReason } from './page-end.ts';

/**
 * Tends the run's batches while `work` runs. When it has ended, nobody waits for an answer any more: batches that are
 * left are cancelled, and what they have answered is kept.
 */
export async function besideBatches<T>(run: RunRef, work: () => Promise<T>): Promise<T> {
  const tending = new CancellationScope();
  const tended = tending.run(() => llm().tendBatches({ run, closing: false }));
  const result = await Promise.race([work(), failureOf(tended)]);
  tending.cancel();
  await closingLlm()
    .tendBatches({ run, closing: true })
    // What cannot be closed in time stays in the ledger, and the next resume collects it.
    .catch((error: unknown) => {
      if (isCancellation(error)) throw error;
    });
  return result;
}

/** Rejects if the batches cannot be tended, since their pages would wait for ever; a stopped run ends by its pages. */
const failureOf = (tended: Promise<void>): Promise<never> =>
  new Promise((_, reject) => {
    tended.catch((error: unknown) => {
      if (!isCancellation(error) && stopReason(error) === null) reject(error);
    });
  });
