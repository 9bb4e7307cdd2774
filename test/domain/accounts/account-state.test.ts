import { expect, test } from 'vitest';
import {
  type AccountLimits,
  type AccountState,
  admit,
  closedAccount,
  newAccountState,
  openAccount,
  settle,
  type Settlement,
  type Started,
} from '../../../domain/accounts/account-state.ts';

const started: Started = { atMs: 0, inFlight: 1, tokens: 10 };
const ended: Settlement = {
  started,
  tokens: null,
  sent: true,
  refused: null,
  retryAfterMs: null,
  why: '',
  allowances: {},
};
const free: AccountLimits = { concurrency: 1000 };

/** Start times in milliseconds if callers always want one more call of `tokens` tokens, and wait as long as told. */
function greedyStarts(limits: AccountLimits, tokens: number, untilMs: number): number[] {
  const state = newAccountState();
  const begun: number[] = [];
  for (let now = 0; now < untilMs; ) {
    const start = admit(state, limits, 'a', tokens, now);
    if (typeof start === 'number') now += start;
    else {
      begun.push(now);
      settle(state, limits, 'a', { ...ended, started: start }, now);
    }
  }
  return begun;
}

const mostInAMinute = (starts: readonly number[]): number =>
  Math.max(...starts.map((start) => starts.filter((other) => other >= start && other < start + 60_000).length));

test.each([1, 7, 60, 500])(
  'with %i requests per minute no minute has more, wherever it starts, and callers get nearly all of them',
  (limit) => {
    const starts = greedyStarts({ ...free, requestsPerMinute: limit }, 0, 600_000);
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(limit);
    expect(starts.length).toBeGreaterThanOrEqual(10 * limit * 0.96);
  },
);

test.each([
  [6_000, 50],
  [6_000, 900],
])(
  'with %i tokens per minute, calls of %i tokens never take more than the limit and one call in a minute',
  (limit, tokens) => {
    const starts = greedyStarts({ ...free, tokensPerMinute: limit }, tokens, 600_000);
    expect(mostInAMinute(starts) * tokens).toBeLessThanOrEqual(limit + tokens);
    expect(starts.length * tokens).toBeGreaterThan(10 * limit * 0.93);
  },
);

const starts = (start: Started | number): boolean => typeof start !== 'number';

test('a call that used more tokens than charged delays the next one by the difference', () => {
  const limits = { ...free, tokensPerMinute: 60_000 };
  const state = newAccountState();
  expect(starts(admit(state, limits, 'a', 1_000, 0))).toBe(true);
  settle(state, limits, 'a', { ...ended, started: { ...started, tokens: 1_000 }, tokens: 3_000 }, 0);
  // A debt of 2,000 and another 1,000 to fill the bucket, at 59/60 of 60,000 in 61.5 s.
  expect(admit(state, limits, 'a', 1_000, 0)).toBe(Math.ceil(3_000 / (59_000 / 61_500)));
});

test('a call that sent nothing returns its request and its tokens', () => {
  const limits = { ...free, requestsPerMinute: 1, tokensPerMinute: 600 };
  const state = newAccountState();
  expect(starts(admit(state, limits, 'a', 10, 0))).toBe(true);
  settle(state, limits, 'a', { ...ended, tokens: 0, sent: false }, 0);
  expect(starts(admit(state, limits, 'a', 10, 0))).toBe(true);
  settle(state, limits, 'a', ended, 0);
  expect(admit(state, limits, 'a', 10, 0)).toBe(61_501);
});

test('Retry-After closes the account for all processes until it is over', () => {
  const state = newAccountState();
  admit(state, free, 'a', 0, 0);
  settle(state, free, 'a', { ...ended, retryAfterMs: 5_000 }, 1_000);
  expect(admit(state, free, 'b', 0, 2_000)).toBe(4_000);
  expect(starts(admit(state, free, 'b', 0, 6_000))).toBe(true);
});

test('places are shared by all processes', () => {
  const limits = { concurrency: 2 };
  const state = newAccountState();
  expect([admit(state, limits, 'a', 0, 0), admit(state, limits, 'b', 0, 0)].map(starts)).toEqual([true, true]);
  expect(starts(admit(state, limits, 'c', 0, 0))).toBe(false);
  settle(state, limits, 'a', ended, 0);
  expect(starts(admit(state, limits, 'c', 0, 0))).toBe(true);
});

const year = 365 * 24 * 3_600_000;
const named = (): AccountState => ({ ...newAccountState(), name: { endpoint: 'http://one/v1', keyVariable: null } });

test('an endpoint closes the account for a quarter of an hour at most, or for as long as the spec allows', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 32 * year, why: 'later' }, 1_000);
  expect(admit(state, free, 'a', 0, 1_000)).toBe(900_000);
  expect(closedAccount(state, free, 1_000)).toEqual({
    endpoint: 'http://one/v1',
    keyVariable: null,
    untilMs: 901_000,
    why: 'later',
  });
  expect(starts(admit(state, free, 'a', 0, 901_000))).toBe(true);
  const short = { ...free, maxClosedMs: 5_000 };
  settle(state, short, 'a', { ...ended, retryAfterMs: year }, 1_000_000);
  expect(admit(state, short, 'a', 0, 1_000_000)).toBe(5_000);
});

test('a clock that is set back opens a closed account', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 60_000 }, year);
  expect(closedAccount(state, free, 1_000)).toBeNull();
  expect(starts(admit(state, free, 'a', 0, 1_000))).toBe(true);
});

test('a closed account is opened by hand', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 60_000 }, 0);
  openAccount(state);
  expect(starts(admit(state, free, 'a', 0, 1))).toBe(true);
});

test('the allowance in the headers is not exceeded, and its renewal is awaited', () => {
  const state = newAccountState();
  const say = (remaining: number, nowMs: number): void => {
    const start = admit(state, free, 'a', 0, nowMs);
    if (typeof start === 'number') throw new Error('must wait');
    settle(
      state,
      free,
      'a',
      { ...ended, refused: false, allowances: { requests: { remaining, resetMs: 3_000 } } },
      nowMs,
    );
  };
  say(2, 0);
  say(1, 10);
  say(0, 20);
  expect(admit(state, free, 'a', 0, 30)).toBe(2_990);
  expect(starts(admit(state, free, 'a', 0, 3_020))).toBe(true);
});

// Fails without `leavesNextPlace`: the first process takes every place that becomes free, as long as its queue lasts.
test('a later process gets its share of the places, and all are used again once it needs none', () => {
  const limits = { concurrency: 8 };
  const state = newAccountState();
  const fill = (holder: string, now: number): Started[] => {
    const begun: Started[] = [];
    for (
      let start = admit(state, limits, holder, 1, now);
      typeof start !== 'number';
      start = admit(state, limits, holder, 1, now)
    )
      begun.push(start);
    return begun;
  };
  expect(fill('first', 0)).toHaveLength(8);
  expect(fill('late', 10)).toHaveLength(0);
  for (let now = 100; now < 500; now += 100) {
    settle(state, limits, 'first', ended, now);
    expect([fill('first', now).length, fill('late', now).length]).toEqual([0, 1]);
  }
  settle(state, limits, 'first', ended, 500);
  expect([fill('late', 500).length, fill('first', 500).length]).toEqual([0, 1]);
  for (let call = 0; call < 4; call += 1) settle(state, limits, 'late', ended, 1_600);
  expect(fill('first', 1_600)).toHaveLength(4);
});

const mostInADay = (starts: readonly number[]): number =>
  Math.max(...starts.map((start) => starts.filter((other) => other >= start && other < start + dayMs).length));
const dayMs = 24 * 3_600_000;

// Red when a slot of day-count.ts counts for a day from its begin: a window could hold nearly two quotas.
test.each([
  [{ requestsPerDay: 40 }, 10, 40],
  [{ tokensPerDay: 400 }, 10, 40],
  [{ requestsPerDay: 40, requestsPerMinute: 1 }, 10, 40],
  [{ requestsPerDay: 1_000, tokensPerDay: 400 }, 10, 40],
  [{ tokensPerDay: 400 }, 900, 1],
])('with %j no 24 hours have more, wherever they start, and callers get nearly all', (limits, tokens, most) => {
  const starts = greedyStarts({ ...free, ...limits }, tokens, 5 * dayMs);
  expect(mostInADay(starts)).toBe(most);
  expect(starts.length).toBeGreaterThanOrEqual(5 * most * 0.95);
});

test('tokens that a call did not use, and a request that was not sent, do not count in its day', () => {
  const limits = { ...free, requestsPerDay: 2, tokensPerDay: 100 };
  const state = newAccountState();
  const use = (end: Partial<Settlement>): boolean => {
    const start = admit(state, limits, 'a', 60, 1_000);
    if (typeof start === 'number') return false;
    settle(state, limits, 'a', { ...ended, started: start, ...end }, 1_000);
    return true;
  };
  expect(use({ sent: false, tokens: 0 })).toBe(true);
  expect(use({ tokens: 30 })).toBe(true);
  expect(use({ tokens: 70 })).toBe(true);
  expect(use({})).toBe(false);
});

test('a used-up day is told with its end, and opening the account by hand does not forget it', () => {
  const limits = { ...free, requestsPerDay: 1 };
  const state = { ...newAccountState(), name: { endpoint: 'https://e/v1', keyVariable: null } };
  const start = admit(state, limits, 'a', 1, 0);
  expect(typeof start).not.toBe('number');
  const waitMs = admit(state, limits, 'a', 1, 60_000);
  expect(waitMs).toBe(dayMs + 14 * 60_000);
  openAccount(state);
  expect(closedAccount(state, {}, 60_000)).toMatchObject({
    untilMs: dayMs + 15 * 60_000,
    why: "the spec's 1 requests per day are used up",
  });
  expect(closedAccount(state, {}, dayMs + 15 * 60_000)).toBeNull();
});
