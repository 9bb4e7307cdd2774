/**
 * A page ends sealed, stopped (paused, cancelled, out of budget, its model closed) or failed;
 * only a cancelled workflow throws.
 */
import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, isCancellation } from '@temporalio/workflow';
import type { StopReason } from '../schemas/states.ts';
import type { PageRef, PageReport } from '../schemas/steps.ts';
import { io } from './activities.ts';

/** Failure type of an activity whose run takes no further calls; its first detail is the reason. */
const stoppedType = 'Stopped';

export async function pageOutcome(ref: PageRef, act: () => Promise<void>): Promise<PageReport> {
  try {
    await act();
    return { page: ref.page, state: 'sealed' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failure = rootFailure(error);
    if (failure?.type === stoppedType)
      return { page: ref.page, state: 'stopped', reason: failure.details?.[0] as StopReason };
    const reason = failure?.message ?? String(error);
    await io().failPage({ ...ref, reason });
    return { page: ref.page, state: 'failed', reason };
  }
}

export const isStopped = (error: unknown): boolean => rootFailure(error)?.type === stoppedType;

function rootFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ChildWorkflowFailure || error instanceof ActivityFailure) return rootFailure(error.cause);
  return undefined;
}
