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

/** Another worker has no step to do, and this one has several: it takes this one up. */
export const handedOver = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'HandedOver',
    message: 'another worker has nothing to do; the step goes on there',
    nextRetryDelay: '100 milliseconds',
    category: ApplicationFailureCategory.BENIGN,
  });

/** What a step ends with that may send no new call, by what says so. */
export const leaving = ({ reason }: AbortSignal): ApplicationFailure => (reason instanceof ApplicationFailure ? reason : draining());

/** Work that costs nothing to do again: it ends with the step's own signal or when the worker drains, whichever is first. */
export async function endedByDrain<T>(drain: AbortSignal, signal: AbortSignal, work: (either: AbortSignal) => Promise<T>): Promise<T> {
  if (drain.aborted) throw leaving(drain);
  try {
    return await work(AbortSignal.any([signal, drain]));
  } catch (error) {
    throw drain.aborted && !signal.aborted ? leaving(drain) : error;
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
