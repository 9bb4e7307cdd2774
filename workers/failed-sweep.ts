/**
 * Recognises a sweep that failed because one of its steps kept failing with an unclassified error
 * (activities/attempts.ts).
 */
import { WorkflowFailedError } from '@temporalio/client';
import { isDiskFull } from '../domain/errors.ts';

/** The step's last error message. Null for any other error and for a full disk, which has its own message. */
export function failedStep(error: unknown): string | null {
  if (!(error instanceof WorkflowFailedError) || isDiskFull(error)) return null;
  for (
    let cause: Error | undefined = error.cause;
    cause !== undefined;
    cause = cause.cause instanceof Error ? cause.cause : undefined
  )
    if ('type' in cause && cause.type === 'Unclassified')
      return `a step failed five times, the last time with: ${cause.message}`;
  return null;
}
