/** The attempts at calls whose endpoint accepts no connection. Time is made up; the pauses are the code's own. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '../../../../activities/calls/accounts/accounts.ts';
import type { AskedModel } from '../../../../activities/calls/asked-model.ts';
import type { RunPage } from '../../../../activities/runs/opened/run.ts';

// Made-up time does not reach the module of pauses by itself, and other tests may have loaded it before.
const fresh = async () => {
  vi.doMock('node:timers/promises', () => ({
    setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
  }));
  vi.resetModules();
  return {
    ...(await import('../../../../activities/calls/accounts/reach.ts')),
    ...(await import('../../../../activities/calls/attempts/attempts-at-a-call.ts')),
    ...(await import('../../../../activities/calls/attempts/failing-streak.ts')),
    ...(await import('../../../../activities/providers/provider.ts')),
  };
};
let { createReach, attemptsAtCall, createFailingStreak, ProviderFault } = {} as Awaited<ReturnType<typeof fresh>>;
beforeAll(async () => {
  ({ createReach, attemptsAtCall, createFailingStreak, ProviderFault } = await fresh());
});
afterAll(() => {
  vi.doUnmock('node:timers/promises');
  vi.resetModules();
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** As `maxClosedMs` of the spec. */
const longestClosedMs = 4_000;

/** Calls of one process to an endpoint that is gone until `backMs`. */
function callsTo(backMs: number) {
  const model = {
    ...{ id: 'm', requestedModel: 'm', streak: createFailingStreak('m'), specPlace: () => 'models[0]' },
    account: { reach: createReach(), longestClosedMs } as Partial<Account> as Account,
  } as Partial<AskedModel> as AskedModel;
  let isStopped = false;
  const setStop = async (): Promise<void> => {
    isStopped = true;
  };
  const ledger = { saveFact: async () => {}, setStop };
  const page = { model: 'm', run: { runId: 'r', ledger } } as unknown as RunPage;
  const { signal } = new AbortController();
  const step = { page, fence: { unit: 'u', epoch: 1, attempt: 1 }, signal, drain: signal };
  const connections: number[] = [];
  const begunMs = Date.now();
  const sinceMs = (): number => Date.now() - begunMs;
  async function call(): Promise<'answered' | number> {
    const attempts = attemptsAtCall({ ...step, shouldStopWaiting: () => isStopped }, model, 0);
    for (;;) {
      if (isStopped) return attempts.number();
      const outcome = await attempts.make(async () => {
        const known = attempts.known();
        if (known !== null) return known;
        connections.push(sinceMs());
        if (sinceMs() >= backMs) return { replies: [{ text: '' }] } as never;
        return new ProviderFault('retry', 'm at u: no connection (ECONNREFUSED)', { unsent: 'no connection' });
      });
      if (!(outcome instanceof ProviderFault)) return 'answered';
      await attempts.waitOut(outcome);
    }
  }
  const attempts = () => attemptsAtCall({ ...step, shouldStopWaiting: () => isStopped }, model, 0);
  return { call, connections, sinceMs, attempts, isStopped: () => isStopped };
}

// Red when `make` counts early attempts, or `known` those that were not made: the model would stop sooner or later.
test.each([1, 100])('with %i calls a model stops after four minutes and few connections', async (count) => {
  const { call, connections, sinceMs, isStopped } = callsTo(Number.POSITIVE_INFINITY);
  const ends = Promise.allSettled(Array.from({ length: count }, call));
  while (!isStopped()) await vi.advanceTimersByTimeAsync(250);
  // Eleven pauses: twice as long each time from half a second on, a minute at most, and each cut by up to a half.
  const longestS = 0.5 + 1 + 2 + 4 + 8 + 16 + 32 + 4 * 60;
  expect(sinceMs()).toBeGreaterThan(1_000 * (longestS / 2));
  expect(sinceMs()).toBeLessThan(1_000 * (longestS + 5));
  // The first attempts are made at one moment.
  expect(connections.filter((ms) => ms > 0).length).toBeLessThan(sinceMs() / 2_000 + 5);
  await vi.advanceTimersByTimeAsync(1_000);
  const stop = (await ends).find((end) => end.status === 'rejected');
  expect(String(stop?.reason)).toMatch(/nothing was answered during 12 attempts at one call/);
});

// Red without `wakes`: the calls would then wait for up to a minute.
test('calls go on within three seconds after the endpoint is back', async () => {
  const { call, sinceMs } = callsTo(100_000);
  const ends = Promise.all(Array.from({ length: 8 }, call));
  const endMs = ends.then(sinceMs);
  await vi.advanceTimersByTimeAsync(200_000);
  expect((await endMs) - 100_000).toBeLessThan(3_000);
  expect(await ends).toEqual(Array.from({ length: 8 }, () => 'answered'));
});

// Red before: the step slept half a minute although the account was open again after four seconds.
test('a Retry-After of minutes makes a step wait no longer than its account may be closed', async () => {
  const { attempts } = callsTo(0);
  const asksToWait = new ProviderFault('retry', 'm at u: 503', { httpStatus: 503, retryAfterMs: 600_000 });
  const end = await attempts()
    .waitOut(asksToWait)
    .catch((error: unknown) => error);
  expect(end).toMatchObject({ type: 'ProviderClosed', nextRetryDelay: longestClosedMs });
});
