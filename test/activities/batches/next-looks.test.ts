/** When a batch is looked at next, on a clock of the test. */
import { describe, expect, test } from 'vitest';
import { NextLooks } from '../../../activities/batches/next-looks.ts';

const minute = 60_000;

/** Looks at a batch whenever it is due, for `ms`; asked every second, as a run does. */
function looks(ms: number): number {
  let nowMs = 0;
  const next = new NextLooks(() => nowMs);
  let count = 0;
  for (; nowMs < ms; nowMs += 1_000) {
    if (next.waitMs('one', false) > 0) continue;
    count += 1;
    next.answered('one', nowMs, true);
  }
  return count;
}

describe('a batch at its endpoint', () => {
  test('is looked at once a second at first', () => expect(looks(9_000)).toBe(9));

  // Red before: every five seconds, 17,280 times.
  test('is looked at every half minute when it takes a day', () =>
    expect(looks(24 * 60 * minute)).toBeLessThan(2 * 60 * 24 + 30));

  test.each([
    ['whose creation is not confirmed is asked for every second, whatever its age', false, false, 1_000],
    ['that is old waits for half a minute', true, false, 30_000],
    ['that is old waits for a second once its model is stopped', true, true, 1_000],
  ])('%s', (_what, isSettled, isStopped, waitMs) => {
    const next = new NextLooks(() => 5);
    next.answered('one', 60 * minute, isSettled);
    expect(next.waitMs('one', isStopped)).toBe(waitMs);
    expect(next.waitMs('another', isStopped)).toBe(0);
  });
});

test.each([
  ['the endpoint’s time is kept, also after a stop', 120_000, [120_000, 120_000]],
  ['without one it is asked again after 5 s, or a second after a stop', null, [5_000, 1_000]],
])('after a fault %s', (_what, retryAfterMs, waits) => {
  const next = new NextLooks(() => 0);
  next.failed('one', retryAfterMs);
  expect([next.waitMs('one', false), next.waitMs('one', true)]).toEqual(waits);
});
