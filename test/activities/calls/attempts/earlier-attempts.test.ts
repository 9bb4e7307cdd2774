/** How many attempts at a call a step takes over from the workers before, with a real ledger. */
import { expect, test } from 'vitest';
import { earlierAttempts } from '../../../../activities/calls/attempts/earlier-attempts.ts';
import { failureText } from '../../../../activities/calls/attempts/failure-text.ts';
import { ProviderFault } from '../../../../activities/providers/provider.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { call, charge, go, keyOf } from '../../storage/ledger/ledger-calls.ts';
import { newLedger, page } from '../../storage/ledger/ledger-fixture.ts';

const unit = `${page}/generate/1`;
const at = (sample: number) => ({ ...call(0).key, sample });

async function started(): Promise<{ ledger: Ledger; fence: Fence }> {
  const ledger = await newLedger();
  return { ledger, fence: await ledger.openUnit(unit, await ledger.takeOver('test')) };
}

/** How many the next attempt at the step takes over. */
async function takenOver(ledger: Ledger, { epoch }: Fence, samples = [0]): Promise<readonly [number, string]> {
  const next = await ledger.openUnit(unit, epoch);
  const { attempts, failure } = await earlierAttempts(ledger, page, next)(0, samples.map(at));
  return [attempts, failure];
}

const failed = async (ledger: Ledger, fence: Fence, failure: string): Promise<void> =>
  ledger.fail(await go(ledger, fence, call(0)), failure, charge(0, 0), 5);

test('a first attempt at a step takes over nothing, and reads nothing', async () => {
  const fail = () => Promise.reject(new Error('it reads'));
  const earlier = earlierAttempts({ failedBefore: fail }, page, { unit, epoch: 1, attempt: 1 });
  expect((await earlier(0, [at(0)])).attempts).toBe(0);
});

test('answers that were of no use count, and calls in flight when their worker ended', async () => {
  const { ledger, fence } = await started();
  await failed(ledger, fence, 'no usable answer: a choice is null');
  await failed(ledger, fence, 'HTTP 500: oops');
  await go(ledger, fence, call(1));
  expect(await takenOver(ledger, fence)).toEqual([2, 'HTTP 500: oops']);
  const second = await ledger.openUnit(unit, fence.epoch);
  await go(ledger, second, call(0));
  expect(await takenOver(ledger, second)).toEqual([3, 'its worker ended before the answer came']);
});

// Red when one of the conditions of `isAttempt` is left out: a step that waited for its account for an hour would have
// used up its attempts.
test('what a closed account refuses does not count, nor several answers refused, nor what was not sent', async () => {
  const { ledger, fence } = await started();
  const closed = new ProviderFault('retry', 'm: maintenance', { httpStatus: 503, retryAfterMs: 120_000 });
  await failed(ledger, fence, failureText(closed));
  await failed(ledger, fence, failureText(new ProviderFault('retry', 'm: slow down', { httpStatus: 429 })));
  await failed(ledger, fence, failureText(new ProviderFault('single', 'm: n must be 1', { httpStatus: 400 })));
  await ledger.release(await go(ledger, fence, call(0)), 'no connection');
  expect(await takenOver(ledger, fence)).toEqual([0, '']);
  const second = await ledger.openUnit(unit, fence.epoch);
  const soon = new ProviderFault('retry', 'm: loading', { httpStatus: 503, retryAfterMs: 60_000 });
  await failed(ledger, second, failureText(soon));
  expect(await takenOver(ledger, second)).toEqual([1, 'HTTP 503: m: loading']);
});

// Red when `failureText` does not say that such a failure was billed: a call could be billed without end.
test('a refusal that was billed counts, also one that asks to wait', async () => {
  const { ledger, fence } = await started();
  for (const retryAfterMs of [0, 120_000]) {
    const billed = { httpStatus: 429, retryAfterMs, maybeBilled: true };
    await failed(ledger, fence, failureText(new ProviderFault('retry', 'm: broken off', billed)));
  }
  expect(await takenOver(ledger, fence)).toEqual([2, 'HTTP 429, billed: m: broken off']);
});

test('of draws that are asked for together, the one with most attempts counts', async () => {
  const { ledger, fence } = await started();
  const several = (first: number, n: number) =>
    call(0, {
      key: { ...call(0).key, sample: first },
      callKeys: Array.from({ length: n }, (_, i) => keyOf(first + i)),
    });
  for (const [first, n] of [
    [0, 3],
    [2, 2],
  ] as const)
    await ledger.fail(await go(ledger, fence, several(first, n)), 'no usable answer: x', charge(0, 0), 1);
  const next = await ledger.openUnit(unit, fence.epoch);
  const earlier = earlierAttempts(ledger, page, next);
  const counts = await Promise.all([[0, 1], [2], [3], [0, 2, 3], [4]].map((all) => earlier(0, all.map(at))));
  expect(counts.map(({ attempts }) => attempts)).toEqual([1, 2, 1, 2, 0]);
  expect((await earlier(1, [at(0)])).attempts).toBe(0);
});
