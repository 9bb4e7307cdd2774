import { beforeEach, expect, test } from 'vitest';
import { retryWhileUnreachable, ServerLostError } from '../../workers/retry-while-unreachable.ts';

/** What the client throws while no server listens. */
function serverAway(): Error {
  const error = new Error('Failed to describe workflow');
  error.name = 'ServiceError';
  return error;
}

let said: string[] = [];
const waiting = { what: 'the server', onLine: (line: string) => void said.push(line) };
beforeEach(() => {
  said = [];
});

test('an unreachable server is asked again until it answers', async () => {
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    if (asked < 3) throw serverAway();
    return 'there';
  };
  expect(await retryWhileUnreachable(new AbortController().signal, waiting, ask)).toBe('there');
  expect(asked).toBe(3);
  expect(said).toEqual([
    expect.stringMatching(
      /^waiting for the server since \d\d:\d\d:\d\d UTC, for at most 600 s \(Failed to describe workflow\)$/,
    ),
    'the server answers again',
  ]);
});

test('a stop while the server is unreachable ends the retries at once, with the reason of the stop', async () => {
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const asking = retryWhileUnreachable(stop.signal, waiting, () => Promise.reject(serverAway()));
  setTimeout(() => stop.abort(reason), 50);
  const start = performance.now();
  await expect(asking).rejects.toBe(reason);
  expect(performance.now() - start).toBeLessThan(400);
});

test('a failure that is not of the connection is rethrown', async () => {
  const failure = new Error('workflow failed');
  await expect(
    retryWhileUnreachable(new AbortController().signal, waiting, () => Promise.reject(failure)),
  ).rejects.toBe(failure);
});

// Red in version 0.1: each was waited for without an end.
test('a server that stays unreachable is reported as lost at the limit', async () => {
  const asking = retryWhileUnreachable(new AbortController().signal, { ...waiting, limitMs: 600 }, () =>
    Promise.reject(serverAway()),
  );
  await expect(asking).rejects.toThrow(
    new ServerLostError('the server has not answered for 1 s: Failed to describe workflow'),
  );
});

test.each([
  '16 UNAUTHENTICATED: Request unauthorized.',
  '7 PERMISSION_DENIED: Request unauthorized.',
  '14 UNAVAILABLE: No connection established. Last error: Error: certificate has expired.',
  '14 UNAVAILABLE: No connection established. Last error: Error: self-signed certificate in certificate chain.',
])('a server that refuses the connection is not waited for: %s', async (message) => {
  const error = Object.assign(serverAway(), { cause: new Error(message) });
  await expect(
    retryWhileUnreachable(new AbortController().signal, waiting, () => Promise.reject(error)),
  ).rejects.toThrow(new ServerLostError(`the server now refuses the connection: ${message}`));
  expect(said).toEqual([]);
});

test('a server that does not know the sweep has lost or replaced its database', async () => {
  const error = Object.assign(new Error('workflow not found'), { name: 'WorkflowNotFoundError' });
  await expect(
    retryWhileUnreachable(new AbortController().signal, waiting, () => Promise.reject(error)),
  ).rejects.toThrow('the server no longer knows this sweep: its database was deleted or replaced');
});
