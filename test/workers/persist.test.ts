import { beforeEach, expect, test } from 'vitest';
import { persist, ServerLostError } from '../../workers/persist.ts';

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

test('a server that is away is asked again until it answers', async () => {
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    if (asked < 3) throw serverAway();
    return 'there';
  };
  expect(await persist(new AbortController().signal, waiting, ask)).toBe('there');
  expect(asked).toBe(3);
  expect(said).toEqual([
    expect.stringMatching(/^waiting for the server since \d\d:\d\d:\d\d UTC, for at most 600 s \(Failed to describe workflow\)$/),
    'the server answers again',
  ]);
});

test('a stop while the server is away ends the asking at once, with the reason of the stop', async () => {
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const asking = persist(stop.signal, waiting, () => Promise.reject(serverAway()));
  setTimeout(() => stop.abort(reason), 50);
  const start = performance.now();
  await expect(asking).rejects.toBe(reason);
  expect(performance.now() - start).toBeLessThan(400);
});

test('a failure that is not the connection is thrown as it is', async () => {
  const failure = new Error('workflow failed');
  await expect(persist(new AbortController().signal, waiting, () => Promise.reject(failure))).rejects.toBe(failure);
});

// Red in version 0.1: each was waited for without an end.
test('a server that stays away is given up at the limit, in words', async () => {
  const asking = persist(new AbortController().signal, { ...waiting, limitMs: 600 }, () => Promise.reject(serverAway()));
  await expect(asking).rejects.toThrow(new ServerLostError('the server has not answered for 1 s: Failed to describe workflow'));
});

test.each([
  '16 UNAUTHENTICATED: Request unauthorized.',
  '7 PERMISSION_DENIED: Request unauthorized.',
  '14 UNAVAILABLE: No connection established. Last error: Error: certificate has expired.',
  '14 UNAVAILABLE: No connection established. Last error: Error: self-signed certificate in certificate chain.',
])('a server that lets nobody in is not waited for: %s', async (message) => {
  const error = Object.assign(serverAway(), { cause: new Error(message) });
  await expect(persist(new AbortController().signal, waiting, () => Promise.reject(error))).rejects.toThrow(
    new ServerLostError(`the server lets nobody in any more: ${message}`),
  );
  expect(said).toEqual([]);
});

test('a server that does not know the sweep has another database', async () => {
  const error = Object.assign(new Error('workflow not found'), { name: 'WorkflowNotFoundError' });
  await expect(persist(new AbortController().signal, waiting, () => Promise.reject(error))).rejects.toThrow(
    'the server does not know this sweep any more: its database was deleted, or is another one',
  );
});
