import { expect, test } from 'vitest';
import { httpFault } from '../../../activities/providers/openai-fault.ts';

// Red when the message as a whole is cut: then the remedy at its end is lost.
test('the remedy stays behind an endpoint\u2019s long message, of which 2,000 characters are kept', () => {
  const failure = { status: 401, message: 'x'.repeat(9_000), code: null, param: null, headers: undefined };
  const { message } = httpFault(failure, 1, 'm at https://e/v1', 0);
  expect(message).toContain(`m at https://e/v1: ${'x'.repeat(2_000)} … (9000 characters). Check the variable`);
});
