import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { limitUnclassified } from '../../activities/attempts.ts';
import { CorruptionError } from '../../domain/errors.ts';

test('a step that finds damaged data is not retried, and names the data', async () => {
  const damaged = new CorruptionError('/runs/r/ledger.sqlite', 'file is not a database');
  const step = limitUnclassified('step', () => Promise.reject(damaged));
  const failure = await step('input').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'CorruptionError', nonRetryable: true, message: damaged.message });
});
