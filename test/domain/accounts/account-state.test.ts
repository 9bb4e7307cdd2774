import { expect, test } from 'vitest';
import { noTokens, type Tokens } from '../../../domain/accounts/counted-units.ts';
import {
  type AccountLimits,
  type AccountState,
  admit,
  closedAccount,
  joinState,
  newAccountState,
  openAccount,
  settle,
  type Settlement,
  type Started,
} from '../../../domain/accounts/account-state.ts';
import { slowedAccount } from '../../../domain/accounts/slowed-account.ts';

const output = (tokens: number): Tokens => ({ input: 0, output: tokens });
const started: Started = { atMs: 0, inFlight: 1, tokens: output(10) };
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
    const start = admit(state, limits, 'a', output(tokens), now);
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

test.each([
  ['input', 6_000, 100],
  ['output', 1_000, 600],
] as const)('%s tokens have a limit of their own, and the other tokens do not count in it', (part, limit, most) => {
  const limits = { ...free, [`${part}TokensPerMinute`]: limit };
  const state = newAccountState();
  const begun: number[] = [];
  for (let now = 0; now < 600_000; ) {
    const start = admit(state, limits, 'a', { input: 60, output: 1 + 2 / 3 }, now);
    if (typeof start === 'number') now += start;
    else {
      begun.push(now);
      settle(state, limits, 'a', { ...ended, started: start }, now);
    }
  }
  expect(mostInAMinute(begun)).toBeLessThanOrEqual(most + 1);
  expect(begun.length).toBeGreaterThan(10 * most * 0.93);
});

test('where an endpoint reports only the output tokens, the advance charge of the input stays', () => {
  const limits = { ...free, inputTokensPerDay: 100, outputTokensPerDay: 100 };
  const state = newAccountState();
  const start = admit(state, limits, 'a', { input: 70, output: 90 }, 0);
  if (typeof start === 'number') throw new Error('must start');
  settle(state, limits, 'a', { ...ended, started: start, tokens: { input: null, output: 5 } }, 0);
  expect(starts(admit(state, limits, 'a', { input: 0, output: 95 }, 0))).toBe(true);
  expect(starts(admit(state, limits, 'a', { input: 31, output: 0 }, 0))).toBe(false);
  expect(starts(admit(state, limits, 'a', { input: 30, output: 0 }, 0))).toBe(true);
});

const starts = (start: Started | number): boolean => typeof start !== 'number';

test('a call that used more tokens than charged delays the next one by the difference', () => {
  const limits = { ...free, tokensPerMinute: 60_000 };
  const state = newAccountState();
  expect(starts(admit(state, limits, 'a', output(1_000), 0))).toBe(true);
  settle(state, limits, 'a', { ...ended, started: { ...started, tokens: output(1_000) }, tokens: output(3_000) }, 0);
  // A debt of 2,000 and another 1,000 to fill the bucket, at 59/60 of 60,000 in 61.5 s.
  expect(admit(state, limits, 'a', output(1_000), 0)).toBe(Math.ceil(3_000 / (59_000 / 61_500)));
});

test('a call that sent nothing returns its request and its tokens', () => {
  const limits = { ...free, requestsPerMinute: 1, tokensPerMinute: 600 };
  const state = newAccountState();
  expect(starts(admit(state, limits, 'a', output(10), 0))).toBe(true);
  settle(state, limits, 'a', { ...ended, tokens: noTokens, sent: false }, 0);
  expect(starts(admit(state, limits, 'a', output(10), 0))).toBe(true);
  settle(state, limits, 'a', ended, 0);
  expect(admit(state, limits, 'a', output(10), 0)).toBe(61_501);
});

test('Retry-After closes the account for all processes until it is over', () => {
  const state = newAccountState();
  admit(state, free, 'a', noTokens, 0);
  settle(state, free, 'a', { ...ended, retryAfterMs: 5_000 }, 1_000);
  expect(admit(state, free, 'b', noTokens, 2_000)).toBe(4_000);
  expect(starts(admit(state, free, 'b', noTokens, 6_000))).toBe(true);
});

test('places are shared by all processes', () => {
  const limits = { concurrency: 2 };
  const state = newAccountState();
  expect([admit(state, limits, 'a', noTokens, 0), admit(state, limits, 'b', noTokens, 0)].map(starts)).toEqual([
    true,
    true,
  ]);
  expect(starts(admit(state, limits, 'c', noTokens, 0))).toBe(false);
  settle(state, limits, 'a', ended, 0);
  expect(starts(admit(state, limits, 'c', noTokens, 0))).toBe(true);
});

const year = 365 * 24 * 3_600_000;
const named = (): AccountState => ({ ...newAccountState(), name: { endpoint: 'http://one/v1', keyVariable: null } });

test('an endpoint closes the account for a quarter of an hour at most, or for as long as the spec allows', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 32 * year, why: 'later' }, 1_000);
  expect(admit(state, free, 'a', noTokens, 1_000)).toBe(900_000);
  expect(closedAccount(state, free, 1_000)).toEqual({
    endpoint: 'http://one/v1',
    keyVariable: null,
    untilMs: 901_000,
    why: 'later',
  });
  expect(starts(admit(state, free, 'a', noTokens, 901_000))).toBe(true);
  const short = { ...free, maxClosedMs: 5_000 };
  settle(state, short, 'a', { ...ended, retryAfterMs: year }, 1_000_000);
  expect(admit(state, short, 'a', noTokens, 1_000_000)).toBe(5_000);
});

test('a clock that is set back opens a closed account', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 60_000 }, year);
  expect(closedAccount(state, free, 1_000)).toBeNull();
  expect(starts(admit(state, free, 'a', noTokens, 1_000))).toBe(true);
});

test('a closed account is opened by hand', () => {
  const state = named();
  settle(state, free, 'a', { ...ended, retryAfterMs: 60_000 }, 0);
  openAccount(state);
  expect(starts(admit(state, free, 'a', noTokens, 1))).toBe(true);
});

test('the allowance in the headers is not exceeded, and its renewal is awaited', () => {
  const state = newAccountState();
  const say = (remaining: number, nowMs: number): void => {
    const start = admit(state, free, 'a', noTokens, nowMs);
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
  expect(admit(state, free, 'a', noTokens, 30)).toBe(2_990);
  expect(starts(admit(state, free, 'a', noTokens, 3_020))).toBe(true);
});

/** Ends a call at once, with these headers. */
function told(state: AccountState, allowances: Settlement['allowances'], nowMs: number): void {
  const start = admit(state, free, 'a', noTokens, nowMs);
  if (typeof start === 'number') throw new Error('must start');
  settle(state, free, 'a', { ...ended, started: start, refused: false, allowances }, nowMs);
}

test('input tokens that are used up according to the headers hold only calls that need them', () => {
  const state = newAccountState();
  told(state, { inputTokens: { remaining: 10, resetMs: 3_000 } }, 0);
  expect(admit(state, free, 'a', { input: 11, output: 0 }, 0)).toBe(3_000);
  expect(starts(admit(state, free, 'a', { input: 10, output: 500 }, 0))).toBe(true);
});

// Red when an allowance is simply forgotten at the end of its longest time: then all waiting calls start at once.
test('a renewal that lies far ahead is tested by a single call', () => {
  const state = newAccountState();
  told(state, { requests: { remaining: 0, resetMs: dayMs } }, 0);
  expect(admit(state, free, 'a', noTokens, 0)).toBe(60_000);
  expect(starts(admit(state, free, 'a', noTokens, 60_000))).toBe(true);
  expect(admit(state, free, 'a', noTokens, 60_000)).toBe(60_000);
  settle(
    state,
    free,
    'a',
    { ...ended, refused: false, allowances: { requests: { remaining: 2, resetMs: 1 } } },
    61_000,
  );
  expect(starts(admit(state, free, 'a', noTokens, 61_000))).toBe(true);
});

test('a day that is used up according to the headers is told, and tested as often as a closed account', () => {
  const state = named();
  told(state, { requestsOfDay: { remaining: 0, resetMs: dayMs } }, 0);
  expect(admit(state, free, 'a', noTokens, 0)).toBe(15 * 60_000);
  expect(closedAccount(state, free, 0)).toMatchObject({
    untilMs: 15 * 60_000,
    why: "the endpoint's headers say that its requests of the day are used up",
  });
});

// Red when only requests in flight are subtracted: each of several answers that come at once then starts another call.
test('tokens of calls in flight are subtracted from what an answer says is left', () => {
  const state = newAccountState();
  const [first] = [1, 2, 3].map(() => admit(state, free, 'a', output(100), 0));
  if (first === undefined || typeof first === 'number') throw new Error('must start');
  const outputTokens = { remaining: 299, resetMs: 3_000 };
  settle(state, free, 'a', { ...ended, started: first, refused: false, allowances: { outputTokens } }, 10);
  expect(admit(state, free, 'a', output(100), 10)).toBe(3_000);
  expect(starts(admit(state, free, 'a', output(99), 10))).toBe(true);
});

// Red when the allowance is forgotten at its renewal: then every waiting call starts.
test('a renewed allowance is what the headers gave as its limit', () => {
  const state = newAccountState();
  told(state, { requests: { remaining: 0, resetMs: 3_000, limit: 2 } }, 0);
  expect(admit(state, free, 'a', noTokens, 0)).toBe(3_000);
  expect(starts(admit(state, free, 'a', noTokens, 3_000))).toBe(true);
  expect(starts(admit(state, free, 'a', noTokens, 3_000))).toBe(true);
  expect(starts(admit(state, free, 'a', noTokens, 3_000))).toBe(false);
});

test('what one process is told of an allowance, all know', () => {
  const [shared, own] = [newAccountState(), newAccountState()];
  told(shared, { outputTokens: { remaining: 9_000, resetMs: 3_000 } }, 0);
  told(own, { outputTokens: { remaining: 0, resetMs: 3_000 } }, 1_000);
  joinState(shared, own, newAccountState(), 'a');
  expect(admit(shared, free, 'b', output(1), 1_000)).toBe(3_000);
});

// Red where a copy brings back its own number although it changed nothing: then the process never gets a place.
test('a process that waits does not bring back how few calls were allowed when it last looked', () => {
  const unstated = { concurrency: 32, unstated: true };
  const [shared, busy, waiting] = [newAccountState(), newAccountState(), newAccountState()];
  const lookedAt = structuredClone(waiting);
  [lookedAt.allowed, waiting.allowed] = [17, 17];
  const busyBefore = structuredClone(busy);
  busy.allowed = 60.5;
  busy.holders['busy'] = { inFlight: 32, seenAtMs: 0 };
  joinState(shared, busy, busyBefore, 'busy');
  joinState(shared, waiting, lookedAt, 'waiting');
  expect(shared.allowed).toBe(60.5);
  expect(admit(shared, unstated, 'waiting', output(1), 0)).toMatchObject({ inFlight: 33 });
  waiting.allowed = 18;
  joinState(shared, waiting, lookedAt, 'waiting');
  expect(shared.allowed).toBe(60.5);
});

test('a process that was refused for too many calls in flight lowers their number for all', () => {
  const shared = newAccountState();
  shared.allowed = 60;
  const before = structuredClone(shared);
  const own = structuredClone(shared);
  own.proven = 20;
  own.holders['own'] = { inFlight: 21, seenAtMs: 0 };
  const crowd = { ...ended, started: { ...started, atMs: 1_000, inFlight: 21 }, refused: true };
  settle(own, { concurrency: 32, unstated: true }, 'own', crowd, 1_200);
  expect(own.allowed).toBe(20);
  joinState(shared, own, before, 'own');
  expect([shared.allowed, shared.crowded?.doubted]).toEqual([20, true]);
});

// Red where a copy brings back what it only kept: then a person cannot open the account while a process waits at it.
test('an account that was opened by hand stays open, whatever a waiting process remembers', () => {
  const closed = { sinceMs: 0, untilMs: 3_600_000, why: 'tomorrow' };
  const remembered = newAccountState();
  told(remembered, { outputTokens: { remaining: 0, resetMs: 50_000 } }, 0);
  remembered.closed = closed;
  remembered.learned.pace = { atMs: 0, from: 0.01, ceiling: 0.01, seenFor: 10 };
  remembered.learned.doubted = true;
  const shared = structuredClone(remembered);
  openAccount(shared);
  joinState(shared, structuredClone(remembered), remembered, 'waiting');
  expect(admit(shared, free, 'waiting', output(1), 1_000)).toMatchObject({ inFlight: 1 });
  const later = structuredClone(remembered);
  later.closed = { ...closed, untilMs: 7_200_000 };
  joinState(shared, later, remembered, 'waiting');
  expect(admit(shared, free, 'waiting', output(1), 1_000)).toBeGreaterThan(60_000);
});

test('a limit at which calls wait is told in words for some seconds', () => {
  const state = named();
  const limits = { ...free, outputTokensPerMinute: 600 };
  expect(slowedAccount(state, 0)).toBeNull();
  admit(state, limits, 'a', output(100), 0);
  admit(state, limits, 'a', output(100), 0);
  expect(slowedAccount(state, 9_000)).toMatchObject({
    endpoint: 'http://one/v1',
    why: "the spec's 600 output tokens per minute",
  });
  expect(slowedAccount(state, 11_000)).toBeNull();
});

// Red before: a run that got one place of eight, since another one had the rest, said nothing.
test('places that others have are told to one that has less than its share, and to nobody else', () => {
  const state = named();
  for (let call = 0; call < 9; call += 1) admit(state, { concurrency: 12 }, 'a', output(1), 0);
  admit(state, { concurrency: 12 }, 'b', output(1), 0);
  expect(slowedAccount(state, 0)).toBeNull();
  expect(admit(state, { concurrency: 8 }, 'b', output(1), 1_000)).toBe(100);
  const why = '8 calls at a time, while other commands and workers have 9 in flight';
  expect(slowedAccount(state, 1_000)).toMatchObject({ endpoint: 'http://one/v1', why });
  expect(slowedAccount(state, 12_000)).toBeNull();
  const alone = named();
  for (let call = 0; call < 9; call += 1) admit(alone, { concurrency: 8 }, 'a', output(1), 0);
  expect(slowedAccount(alone, 0)).toBeNull();
});

// Red while each wait is told for as long: a step that is told to come back looks again after half a minute.
test('a wait of over a minute is told until its step looks for room again', () => {
  const state = named();
  const limits = { ...free, requestsPerMinute: 0.5 };
  admit(state, limits, 'a', output(100), 0);
  expect(admit(state, limits, 'a', output(100), 0)).toBeGreaterThan(60_000);
  expect(slowedAccount(state, 40_000)).not.toBeNull();
  expect(slowedAccount(state, 46_000)).toBeNull();
});

// Fails without `leavesNextPlace`: the first process takes every place that becomes free, as long as its queue lasts.
test('a later process gets its share of the places, and all are used again once it needs none', () => {
  const limits = { concurrency: 8 };
  const state = newAccountState();
  const fill = (holder: string, now: number): Started[] => {
    const begun: Started[] = [];
    for (
      let start = admit(state, limits, holder, output(1), now);
      typeof start !== 'number';
      start = admit(state, limits, holder, output(1), now)
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
  [{ outputTokensPerDay: 400, inputTokensPerDay: 1 }, 10, 40],
])('with %j no 24 hours have more, wherever they start, and callers get nearly all', (limits, tokens, most) => {
  const starts = greedyStarts({ ...free, ...limits }, tokens, 5 * dayMs);
  expect(mostInADay(starts)).toBe(most);
  expect(starts.length).toBeGreaterThanOrEqual(5 * most * 0.95);
});

test('tokens that a call did not use, and a request that was not sent, do not count in its day', () => {
  const limits = { ...free, requestsPerDay: 2, tokensPerDay: 100 };
  const state = newAccountState();
  const use = (end: Partial<Settlement>): boolean => {
    const start = admit(state, limits, 'a', output(60), 1_000);
    if (typeof start === 'number') return false;
    settle(state, limits, 'a', { ...ended, started: start, ...end }, 1_000);
    return true;
  };
  expect(use({ sent: false, tokens: noTokens })).toBe(true);
  expect(use({ tokens: output(30) })).toBe(true);
  expect(use({ tokens: output(70) })).toBe(true);
  expect(use({})).toBe(false);
});

test('a used-up day is told with its end, and opening the account by hand does not forget it', () => {
  const limits = { ...free, requestsPerDay: 1 };
  const state = { ...newAccountState(), name: { endpoint: 'https://e/v1', keyVariable: null } };
  const start = admit(state, limits, 'a', output(1), 0);
  expect(typeof start).not.toBe('number');
  const waitMs = admit(state, limits, 'a', output(1), 60_000);
  expect(waitMs).toBe(dayMs + 14 * 60_000);
  openAccount(state);
  expect(closedAccount(state, {}, 60_000)).toMatchObject({
    untilMs: dayMs + 15 * 60_000,
    why: "the spec's 1 requests per day are used up",
  });
  expect(closedAccount(state, {}, dayMs + 15 * 60_000)).toBeNull();
});
