/**
 * Recognises a sweep that failed because one of its steps kept failing with an unclassified error
 * (activities/attempts.ts), or that was ended at the Temporal server.
 */
import { WorkflowFailedError } from '@temporalio/client';
import { TerminatedFailure } from '@temporalio/common';
import { isDiskFull, isFileTooLarge } from '../domain/errors.ts';
import { takenOver } from './start-sweep.ts';

/** The last message of the step. Null for another error, a full disk and a file too large: they have their own. */
export function failedStep(error: unknown): string | null {
  if (!(error instanceof WorkflowFailedError) || isDiskFull(error) || isFileTooLarge(error)) return null;
  for (
    let cause: Error | undefined = error.cause;
    cause !== undefined;
    cause = cause.cause instanceof Error ? cause.cause : undefined
  )
    if ('type' in cause && cause.type === 'Unclassified')
      return `a step failed five times, the last time with: ${cause.message}`;
  return null;
}

/** Who ended the sweep at the server. Null for any other error. */
export function endedFromOutside(error: unknown): string | null {
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof TerminatedFailure)) return null;
  const reason = error.cause.message;
  if (takenOver.test(reason))
    return (
      'another command took this run over at the same Temporal server, from a copy of its folder; only one of them ' +
      'can go on. `evenkeel status` with the runs directory of the copy shows it; end that command before you ' +
      'continue here'
    );
  return `its sweep was terminated at the Temporal server${reason === '' ? '' : ` (${reason})`}`;
}
