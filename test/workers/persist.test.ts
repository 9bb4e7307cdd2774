import { expect, test } from 'vitest';
import { persist } from '../../workers/persist.ts';

/** What the client throws while no server listens. */
function serverAway(): Error {
  const error = new Error('Failed to describe workflow');
  error.name = 'ServiceError';
  return error;
}

test('a server that is away is asked again until it answers', async () => {
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    if (asked < 3) throw serverAway();
    return 'there';
  };
  expect(await persist(new AbortController().signal, ask)).toBe('there');
  expect(asked).toBe(3);
});

test('a stop while the server is away ends the asking at once, with the reason of the stop', async () => {
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const asking = persist(stop.signal, () => Promise.reject(serverAway()));
  setTimeout(() => stop.abort(reason), 50);
  const start = performance.now();
  await expect(asking).rejects.toBe(reason);
  expect(performance.now() - start).toBeLessThan(400);
});

test('a failure that is not the connection is thrown as it is', async () => {
  const failure = new Error('workflow failed');
  await expect(persist(new AbortController().signal, () => Promise.reject(failure))).rejects.toBe(failure);
});
