/** Steps that wait in their process: a real ledger tells them of a pause. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { createKnownStops } from '../../activities/calls/known-stops.ts';
import { inBatches, providerClosed, unanswered } from '../../activities/failures.ts';
import type { RunPage } from '../../activities/runs/opened/run.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import { createWaitingSteps, waitUnless } from '../../activities/waiting-steps.ts';
import { newLedger } from './storage/ledger/ledger-fixture.ts';

const pageOf = (ledger: Ledger) => async (): Promise<RunPage> =>
  ({
    run: { runId: 'r', ledger, isStopped: createKnownStops(ledger), checkOwner: async () => {} },
    model: 'm',
  }) as Partial<RunPage> as RunPage;
const never = new AbortController().signal;
const failing = (error: Error) => async (): Promise<void> => {
  throw error;
};

test('a step waits as long as Temporal would, then fails as before and is tried again at once', async () => {
  const waiting = createWaitingSteps(never);
  const startMs = performance.now();
  const step = waiting.afterWait(failing(inBatches(700)), pageOf(await newLedger()), never);
  const end = expect(step).rejects.toMatchObject({ type: 'InBatches', nextRetryDelay: '100 milliseconds' });
  await expect.poll(waiting.count).toBe(1);
  await end;
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(690);
  expect(waiting.count()).toBe(0);
});

test.each([
  ['a closed account', providerClosed('m: closed', 30_000)],
  ['a batch', inBatches(30_000)],
])('a step that waits for %s ends within two seconds of a cancellation', async (_what, failure) => {
  const ledger = await newLedger();
  const waiting = createWaitingSteps(never);
  const step = waiting.afterWait(failing(failure), pageOf(ledger), never);
  const end = expect(step).rejects.toMatchObject({ type: 'Stopped', details: ['cancelled'] });
  await expect.poll(waiting.count).toBe(1);
  const stoppedMs = performance.now();
  await ledger.setStop(null, 'cancelled', 'cancelled by the user');
  await end;
  expect(performance.now() - stoppedMs).toBeLessThan(2_000);
});

test('a worker that stops gives its waiting steps to others; a step that Temporal cuts off just ends', async () => {
  const [drain, cut] = [new AbortController(), new AbortController()];
  const waiting = createWaitingSteps(drain.signal);
  const page = pageOf(await newLedger());
  const cutOff = expect(
    waiting.afterWait(failing(providerClosed('m: closed', 30_000)), page, cut.signal),
  ).rejects.toMatchObject({ name: 'AbortError' });
  cut.abort();
  await cutOff;
  const left = expect(
    waiting.afterWait(failing(providerClosed('m: closed', 30_000)), page, never),
  ).rejects.toMatchObject({ type: 'WorkerDraining' });
  drain.abort();
  await left;
});

test('other failures, and results, are passed on at once', async () => {
  const waiting = createWaitingSteps(never);
  const page = pageOf(await newLedger());
  const failure = unanswered('m: 12 attempts failed');
  await expect(waiting.afterWait(failing(failure), page, never)).rejects.toBe(failure);
  await expect(waiting.afterWait(async () => 7, page, never)).resolves.toBe(7);
});

test('a wait that is over before it begins takes no time', async () => {
  const startMs = performance.now();
  await waitUnless(() => true, 60_000, never);
  expect(performance.now() - startMs).toBeLessThan(100);
});
