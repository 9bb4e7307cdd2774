import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, RetryState, TerminatedFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { endedFromOutside, failedStep } from '../../workers/failed-sweep.ts';

/** As the client gives back what an activity threw. */
function sweepFailedBy(cause: ApplicationFailure): WorkflowFailedError {
  const activity = new ActivityFailure(
    'Activity task failed',
    'prepare',
    '1',
    RetryState.NON_RETRYABLE_FAILURE,
    'worker',
    cause,
  );
  return new WorkflowFailedError('Workflow execution failed', activity, RetryState.RETRY_POLICY_NOT_SET);
}

// Red before: an unexpected failure with a stack trace, exit status 1, and the run seemed to be running.
test('a step that failed five times leaves an incomplete run with the reason', () => {
  const fault = ApplicationFailure.create({
    type: 'Unclassified',
    message: 'SandboxFault: no slot came up',
    nonRetryable: true,
  });
  expect(failedStep(sweepFailedBy(fault))).toBe(
    'a step failed five times, the last time with: SandboxFault: no slot came up',
  );
});

test('damage, a full disk and other errors keep their own messages', () => {
  const full = ApplicationFailure.create({
    type: 'Unclassified',
    message: 'Error: ENOSPC: no space left on device',
    nonRetryable: true,
  });
  expect(failedStep(sweepFailedBy(full))).toBeNull();
  const damage = ApplicationFailure.create({
    type: 'CorruptionError',
    message: 'ledger.sqlite: damaged',
    nonRetryable: true,
  });
  expect(failedStep(sweepFailedBy(damage))).toBeNull();
  expect(failedStep(new Error('Unclassified'))).toBeNull();
});

const endedWith = (reason: string): string | null =>
  endedFromOutside(new WorkflowFailedError(reason, new TerminatedFailure(reason), RetryState.RETRY_POLICY_NOT_SET));

// Red before: an unexpected failure with a stack trace, exit status 1.
test('a sweep that another command or a person ended at the server is named as such', () => {
  expect(endedWith('taken over by epoch 12')).toMatch(/^another command took this run over .* from a copy .*status/);
  expect(endedWith('tidying up')).toBe('its sweep was terminated at the Temporal server (tidying up)');
  expect(endedFromOutside(new Error('taken over by epoch 12'))).toBeNull();
  expect(endedFromOutside(sweepFailedBy(ApplicationFailure.create({ message: 'x' })))).toBeNull();
});
