import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Accounts, createAccounts } from '../../../../activities/calls/accounts/accounts.ts';
import { openAccounts } from '../../../../activities/calls/accounts/closed-accounts.ts';
import { sqliteAccounts } from '../../../../activities/calls/accounts/sqlite-accounts.ts';
import { ProviderFault } from '../../../../activities/providers/provider.ts';
import { answered, held, here, never, one, reply, timed } from '../../../contract/stores/account-fixture.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'cache', 'accounts.sqlite');
});

/** What another worker process would have: a store of its own on the same file. */
function process(): Accounts {
  const accounts = createAccounts(sqliteAccounts(file));
  onTestFinished(() => accounts.close());
  return accounts;
}

test('a call does not wait for an account closed for over a minute: the outcome says how long', async () => {
  const account = process().open(here, { concurrency: 4 }, 8);
  await account.use(
    async () => new ProviderFault('retry', 'tomorrow', { httpStatus: 429, retryAfterMs: 3_600_000 }),
    one,
    never,
  );
  await pause(20);
  const outcome = await account.use(() => Promise.reject(new Error('was asked')), one, never);
  // Red without the reason: the call counted among answers that were of no use.
  expect(outcome).toMatchObject({
    kind: 'retry',
    retryAfterMs: expect.any(Number),
    unsent: expect.stringMatching(/^not asked yet: the account has no room for \d+ s$/),
  });
  // An hour was asked for; a quarter of an hour is the most.
  expect(outcome.retryAfterMs).toBeGreaterThan(890_000);
});

test('an account without stated limits is opened by hand while a process that saw it closed works on', async () => {
  const [first, second] = [process().open(here, {}, 8), process().open(here, {}, 8)];
  const fault = new ProviderFault('retry', 'tomorrow', { httpStatus: 429, retryAfterMs: 3_600_000 });
  await first.use(async () => fault, one, never);
  await pause(20);
  for (const account of [first, second])
    expect(await account.use(answered, one, never)).toMatchObject({ kind: 'retry' });
  const store = sqliteAccounts(file);
  expect(await openAccounts(store, here.endpoint)).toBe(1);
  await store.close();
  for (const account of [first, second]) {
    await pause(300);
    expect(await account.use(answered, one, never)).toMatchObject({ replies: [reply] });
  }
});

// A large run has hundreds of thousands of calls that wait, and each would hold the text of its request.
test('only calls that are among the next to start are asked for their tokens', async () => {
  const account = process().open(here, { concurrency: 2 }, 8);
  const busy = [held(), held()];
  const asked: number[] = [];
  const all = Array.from({ length: 100 }, (_, place) => {
    const tokens = () => {
      asked.push(place);
      return one();
    };
    return account.use(busy[place]?.call ?? answered, tokens, never);
  });
  await vi.waitFor(() => expect(busy.map((call) => call.started())).toEqual([true, true]));
  expect(Math.max(...asked)).toBeLessThan(4);
  for (const { end } of busy) end({ replies: [reply] });
  await Promise.all(all);
  expect(new Set(asked).size).toBe(100);
});

test('a call whose tokens cannot be told fails alone', async () => {
  const account = process().open(here, { concurrency: 1 }, 8);
  const fault = () => {
    throw new Error('no request');
  };
  const all = [account.use(answered, one, never), account.use(fault, fault, never), account.use(answered, one, never)];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('waiting calls of earlier pages go first, in the order of arrival', async () => {
  const account = process().open(here, { concurrency: 1 }, 8);
  const busy = held();
  const first = account.use(busy.call, one, never, { model: 'm', rank: 9 });
  const started: string[] = [];
  const waiting = (['late', 'early', 'late, too', 'early, too'] as const).map((name) =>
    account.use(
      async () => {
        started.push(name);
        return { replies: [reply] };
      },
      one,
      never,
      { model: 'm', rank: name.startsWith('early') ? 1 : 2 },
    ),
  );
  busy.end({ replies: [reply] });
  await Promise.all([first, ...waiting]);
  expect(started).toEqual(['early', 'early, too', 'late', 'late, too']);
});

test('models of one account take turns', async () => {
  const account = process().open(here, { concurrency: 1 }, 8);
  const busy = held();
  const first = account.use(busy.call, one, never, { model: 'a', rank: 0 });
  const started: string[] = [];
  const waiting = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c'].map((model) =>
    account.use(
      async () => {
        started.push(model);
        return { replies: [reply] };
      },
      one,
      never,
      { model, rank: model === 'a' ? 0 : 7 },
    ),
  );
  busy.end({ replies: [reply] });
  await Promise.all([first, ...waiting]);
  expect(started).toEqual(['b', 'c', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('calls start in the order in which they came', async () => {
  const account = process().open(here, { concurrency: 1 }, 8);
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4].map((number) =>
      account.use(
        async () => {
          order.push(number);
          return { replies: [reply] };
        },
        one,
        never,
      ),
    ),
  );
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('a cancelled waiting call is made at once, to learn why it may not continue', async () => {
  const account = process().open(here, { requestsPerMinute: 2 }, 8);
  await account.use(answered, one, never);
  let stopped = false;
  setTimeout(() => (stopped = true), 100);
  const tookMs = await timed(
    account.use(
      async () => 'unasked',
      one,
      () => stopped,
    ),
  );
  expect(tookMs).toBeGreaterThan(90);
  expect(tookMs).toBeLessThan(2_000);
});

test('a call that throws frees its slot', async () => {
  const account = process().open(here, { concurrency: 1 }, 8);
  await expect(account.use(() => Promise.reject(new Error('no')), one, never)).rejects.toThrow('no');
  expect(await account.use(answered, one, never)).toEqual({ replies: [reply] });
});

test('calls within this process need no file, and run up to the given number', async () => {
  const account = process().local('simulated', 2);
  const calls = [held(), held(), held()];
  const all = calls.map(({ call }) => account.use(call, one, never));
  await pause(50);
  expect(calls.map(({ started }) => started())).toEqual([true, true, false]);
  for (const { end } of calls) end({ replies: [reply] });
  await Promise.all(all);
  expect(existsSync(file)).toBe(false);
});

test('a file that is not a database is named, with the remedy', async () => {
  const account = createAccounts(sqliteAccounts(folder)).open(here, { concurrency: 1 }, 8);
  await expect(account.use(answered, one, never)).rejects.toThrow(/EVENKEEL_CACHE/);
});

// Red where the name of a machine alone says that a process id is one of its own: containers may share a name.
test('a process of another machine of the same name keeps its slots, although its id is nobody here', async () => {
  const store = sqliteAccounts(file);
  await store.change(here, (state, nowMs) => {
    state.holders[`${hostname()}/4000000/0`] = { inFlight: 1, seenAtMs: nowMs };
  });
  await store.close();
  const waiting = process()
    .open(here, { concurrency: 1 }, 8)
    .use(answered, one, () => isOver);
  let isOver = false;
  expect(await Promise.race([waiting, pause(200, 'still waiting')])).toBe('still waiting');
  isOver = true;
  await waiting;
});

// Red if a process with calls in flight takes turns only when calls begin or end: after 30 s it counts as dead.
test('a call that takes minutes keeps its slot', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  const busy = held();
  const first = process().open(here, { concurrency: 1 }, 8).use(busy.call, one, never);
  for (let tenths = 0; tenths < 200; tenths += 1) {
    await turn();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const second = held();
  const waiting = process().open(here, { concurrency: 1 }, 8).use(second.call, one, never);
  await turn();
  await turn();
  expect([busy.started(), second.started()]).toEqual([true, false]);
  for (const { end } of [busy, second]) end({ replies: [reply] });
  await first;
  for (let tenths = 0; tenths < 20; tenths += 1) {
    await turn();
    await vi.advanceTimersByTimeAsync(100);
  }
  await waiting;
});
