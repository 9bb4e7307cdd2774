/** The closed set of failures that activities raise on purpose; anything else is unclassified and gets Temporal's five attempts. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { StopReason } from '../schemas/states.ts';

/** The run, or this model of it, takes no further calls. Read by workflows/page-outcome.ts. */
export const stopped = (reason: StopReason, detail: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'Stopped', message: detail, nonRetryable: true, details: [reason] });

/** This worker is going away; another one takes the step up. */
export const draining = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'WorkerDraining',
    message: 'this worker is stopping; the step goes on elsewhere',
    nextRetryDelay: '1 second',
  });

/** Work that costs nothing to do again: it ends with the step's own signal or when the worker drains, whichever is first. */
export async function endedByDrain<T>(drain: AbortSignal, signal: AbortSignal, work: (either: AbortSignal) => Promise<T>): Promise<T> {
  if (drain.aborted) throw draining();
  try {
    return await work(AbortSignal.any([signal, drain]));
  } catch (error) {
    throw drain.aborted && !signal.aborted ? draining() : error;
  }
}

/** One call's attempts are used up. Were the step tried again, each of its calls would have as many once more; `resume` has. */
export const unanswered = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'Unanswered', message, nonRetryable: true });

/** What is stored is damaged: trying again does not help. Read by cli/exit-status.ts. */
export const corrupted = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'CorruptionError', message, nonRetryable: true });

/** The provider is closed for longer than a step should wait. */
export const providerClosed = (message: string, delayMs: number): ApplicationFailure =>
  ApplicationFailure.create({ type: 'ProviderClosed', message, nextRetryDelay: delayMs, category: ApplicationFailureCategory.BENIGN });
