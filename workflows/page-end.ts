/**
 * A page ends sealed, stopped (paused, cancelled, out of budget, its model closed) or failed;
 * only a cancelled workflow throws.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  patched,
} from '@temporalio/workflow';
import type { StopReason } from '../schemas/states.ts';
import type { PageEnd, PageRef } from '../schemas/steps.ts';
import { io } from './activities.ts';
import { below } from './below-sweep.ts';

/** Failure type of an activity whose run takes no further calls; its first detail is the reason. */
const stoppedType = 'Stopped';

/**
 * Runs a page's workflow.
 * @param model whose lane the page is in; null: that of the workflow that asks, or no model under study
 */
export async function endOfPage(ref: PageRef, kind: string, model: string | null): Promise<PageEnd> {
  try {
    const end = await below<PageEnd | undefined>(kind, ref.page, ref, model);
    return end ?? { state: 'sealed' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const stop = stopReason(error);
    if (stop !== null) return { state: 'stopped', reason: stop };
    await io().failPage({ ...ref, reason: rootFailure(error)?.message ?? String(error) });
    return { state: 'failed' };
  }
}

/** The workflow of a page with these steps. A page that may not go on has not failed: the reason is its result. */
export const ofPage =
  (steps: (page: PageRef) => Promise<void>) =>
  async (page: PageRef): Promise<PageEnd> => {
    try {
      await steps(page);
      return { state: 'sealed' };
    } catch (error) {
      const reason = stopReason(error);
      if (reason === null || !patched('a stop is a result')) throw error;
      return { state: 'stopped', reason };
    }
  };

/** Why the run, or the model, takes no further calls; null for any other error. */
export function stopReason(error: unknown): StopReason | null {
  const failure = rootFailure(error);
  return failure?.type === stoppedType ? (failure.details?.[0] as StopReason) : null;
}

export function rootFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ChildWorkflowFailure || error instanceof ActivityFailure) return rootFailure(error.cause);
  return undefined;
}
