import { expect, test } from 'vitest';
import { admit, newAccountState, settle, type AccountLimits, type Settlement } from '../../domain/account-state.ts';

const ended: Settlement = { countedTokens: 10, tokens: null, sent: true, tooMany: false, retryAfterMs: null };
const free: AccountLimits = { concurrency: 1000 };

/** Start times, milliseconds, when callers always want one more call of `tokens` tokens and look again when told to. */
function greedyStarts(limits: AccountLimits, tokens: number, untilMs: number): number[] {
  const state = newAccountState();
  const starts: number[] = [];
  for (let now = 0; now < untilMs; ) {
    const waitMs = admit(state, limits, 'a', tokens, now);
    if (waitMs > 0) now += waitMs;
    else {
      starts.push(now);
      settle(state, limits, 'a', ended, now);
    }
  }
  return starts;
}

const mostInAMinute = (starts: readonly number[]): number =>
  Math.max(...starts.map((start) => starts.filter((other) => other >= start && other < start + 60_000).length));

test.each([1, 7, 60, 500])(
  'with %i requests per minute no minute has more, wherever it starts, and callers get nearly all of them',
  (limit) => {
    const starts = greedyStarts({ ...free, requestsPerMinute: limit }, 0, 600_000);
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(limit);
    expect(starts.length).toBeGreaterThanOrEqual(10 * limit * 0.98);
  },
);

test.each([
  [6_000, 50],
  [6_000, 900],
])('with %i tokens per minute, calls of %i tokens never take more than the limit and one call in a minute', (limit, tokens) => {
  const starts = greedyStarts({ ...free, tokensPerMinute: limit }, tokens, 600_000);
  expect(mostInAMinute(starts) * tokens).toBeLessThanOrEqual(limit + tokens);
  expect(starts.length * tokens).toBeGreaterThan(10 * limit * 0.95);
});

test('a call that took more tokens than counted delays the next one by the difference', () => {
  const limits = { ...free, tokensPerMinute: 60_000 };
  const state = newAccountState();
  expect(admit(state, limits, 'a', 1_000, 0)).toBe(0);
  settle(state, limits, 'a', { ...ended, countedTokens: 1_000, tokens: 3_000 }, 0);
  // 2,000 over an empty bucket and the 1,000 to fill it, at 59/60 of 1,000 per second.
  expect(admit(state, limits, 'a', 1_000, 0)).toBe(Math.ceil(3_000 / (59 / 60)));
});

test('a call that sent nothing gives its request and its tokens back', () => {
  const limits = { ...free, requestsPerMinute: 1, tokensPerMinute: 600 };
  const state = newAccountState();
  expect(admit(state, limits, 'a', 10, 0)).toBe(0);
  settle(state, limits, 'a', { ...ended, tokens: 0, sent: false }, 0);
  expect(admit(state, limits, 'a', 10, 0)).toBe(0);
  settle(state, limits, 'a', ended, 0);
  expect(admit(state, limits, 'a', 10, 0)).toBe(60_000);
});

test('Retry-After closes the account for all holders until it is over', () => {
  const state = newAccountState();
  admit(state, free, 'a', 0, 0);
  settle(state, free, 'a', { ...ended, retryAfterMs: 5_000 }, 1_000);
  expect(admit(state, free, 'b', 0, 2_000)).toBe(4_000);
  expect(admit(state, free, 'b', 0, 6_000)).toBe(0);
});

test('places are shared by all holders', () => {
  const limits = { concurrency: 2 };
  const state = newAccountState();
  expect([admit(state, limits, 'a', 0, 0), admit(state, limits, 'b', 0, 0)]).toEqual([0, 0]);
  expect(admit(state, limits, 'c', 0, 0)).toBeGreaterThan(0);
  settle(state, limits, 'a', ended, 0);
  expect(admit(state, limits, 'c', 0, 0)).toBe(0);
});

/** Calls that may be in flight together: how many start before one has to wait. */
function room(state: ReturnType<typeof newAccountState>, limits: AccountLimits, nowMs: number): number {
  const copy = structuredClone(state);
  let count = 0;
  while (count < 100 && admit(copy, limits, 'room', 0, nowMs) === 0) count += 1;
  return count;
}

test('a burst of 429 halves the calls at a time once; each round of good calls allows one more, up to what is configured', () => {
  const limits = { concurrency: 16 };
  const state = newAccountState();
  const end = (more: Partial<Settlement>, nowMs: number): void => {
    expect(admit(state, limits, 'a', 0, nowMs)).toBe(0);
    settle(state, limits, 'a', { ...ended, ...more }, nowMs);
  };
  for (let call = 0; call < 5; call += 1) end({ tooMany: true }, 5_000 + call);
  expect(room(state, limits, 6_000)).toBe(8);
  end({ tooMany: true }, 7_000);
  expect(room(state, limits, 7_000)).toBe(4);
  for (let call = 0; call < 5; call += 1) end({}, 8_000);
  expect(room(state, limits, 8_000)).toBe(5);
  for (let call = 0; call < 1_000; call += 1) end({}, 9_000);
  expect(room(state, limits, 9_000)).toBe(16);
  for (let second = 10; second < 30; second += 1) end({ tooMany: true }, second * 1_000);
  expect(room(state, limits, 40_000)).toBe(1);
});
