/**
 * Limits how often a step may fail with an unclassified error. Kills and lost heartbeats do not count:
 * they say nothing about the step.
 */
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import { corrupted, stopped } from './failures.ts';
import { CorruptionError } from '../domain/errors.ts';
import { FencedError } from './storage/ledger/fence.ts';

const unclassifiedAttempts = 5;

type Activity<I, O> = (input: I) => Promise<O>;

/** Passes classified failures on unchanged; the fifth unclassified error of the same step in this process is final. */
export function limitUnclassified<I, O>(name: string, activity: Activity<I, O>): Activity<I, O> {
  const errors = new Map<string, number>();
  return async (input) => {
    const step = sha256(canonicalJson([name, input]));
    try {
      const result = await activity(input);
      errors.delete(step);
      return result;
    } catch (error) {
      if (error instanceof FencedError) throw stopped('fenced', error.message);
      if (error instanceof CorruptionError) throw corrupted(error.message);
      if (error instanceof TemporalFailure || isAbort(error)) throw error;
      const count = (errors.get(step) ?? 0) + 1;
      errors.set(step, count);
      if (count < unclassifiedAttempts) throw error;
      errors.delete(step);
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw ApplicationFailure.create({ type: 'Unclassified', message, nonRetryable: true });
    }
  };
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
