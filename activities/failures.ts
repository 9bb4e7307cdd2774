/**
 * The closed set of failures that activities raise on purpose. Anything else is unclassified and gets
 * five attempts (attempts.ts).
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { StopReason } from '../schemas/states.ts';

/**
 * The run, or this model in it, takes no further calls. Read by workflows/page-end.ts. Benign, since a stop is a
 * result: Temporal's log and its counts of failures leave it out.
 */
export const stopped = (reason: StopReason, detail: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Stopped',
    message: detail,
    nonRetryable: true,
    details: [reason],
    category: ApplicationFailureCategory.BENIGN,
  });

/** This worker is stopping; another one continues the step. */
export const draining = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'WorkerDraining',
    message: 'this worker is stopping; another one continues the step',
    nextRetryDelay: '1 second',
  });

/** Another worker has no step while this one has several, so that worker continues this one. */
export const handedOver = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'HandedOver',
    message: 'another worker is idle and continues the step',
    nextRetryDelay: '100 milliseconds',
    category: ApplicationFailureCategory.BENIGN,
  });

/** The run's command has other keys than this worker, so another worker makes the calls. */
export const otherKeys = (delayMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'OtherKeys',
    message: 'this worker has other keys than the command that owns the run; another worker makes the calls',
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });

/**
 * The failure of a step that may send no new call: the signal's reason if it is one of these failures, else `draining`.
 */
export const drainFailure = ({ reason }: AbortSignal): ApplicationFailure =>
  reason instanceof ApplicationFailure ? reason : draining();

/** Runs work that costs nothing to repeat; cancels it when the step's own signal aborts or the worker drains. */
export async function endedByDrain<T>(
  drain: AbortSignal,
  signal: AbortSignal,
  work: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  if (drain.aborted) throw drainFailure(drain);
  try {
    return await work(AbortSignal.any([signal, drain]));
  } catch (error) {
    throw drain.aborted && !signal.aborted ? drainFailure(drain) : error;
  }
}

/**
 * All attempts at one call failed. Not retried, since a retried step would give each of its calls as many attempts
 * again; `resume` does so.
 */
export const unanswered = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'Unanswered', message, nonRetryable: true });

/** Stored data is damaged, so retrying does not help. Read by cli/exit-status.ts. */
export const corrupted = (message: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'CorruptionError', message, nonRetryable: true });

/** The step's questions wait for batches, which take up to a day; meanwhile it holds no slot. */
export const inBatches = (delayMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'InBatches',
    message: 'the questions wait for answers from batches',
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });

/** The provider accepts no calls for longer than a step should wait. */
export const providerClosed = (message: string, delayMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'ProviderClosed',
    message,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });

/** How long the step waits to be tried again, if it waits for a provider or for batches; null: another failure. */
export const laterMs = (error: unknown): number | null =>
  error instanceof ApplicationFailure &&
  (error.type === 'ProviderClosed' || error.type === 'InBatches') &&
  typeof error.nextRetryDelay === 'number'
    ? error.nextRetryDelay
    : null;

/** The same failure, of a step that has waited. */
export const againAtOnce = ({ type, message }: ApplicationFailure): ApplicationFailure =>
  ApplicationFailure.create({
    ...(type != null && { type }),
    message,
    nextRetryDelay: '100 milliseconds',
    category: ApplicationFailureCategory.BENIGN,
  });
