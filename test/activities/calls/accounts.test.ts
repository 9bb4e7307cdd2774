import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Accounts, type CallOutcome, createAccounts } from '../../../activities/calls/accounts.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

let folder: string;
let file: string;
const opened: Accounts[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  file = join(folder, 'cache', 'accounts.sqlite');
});
afterEach(() => {
  for (const accounts of opened.splice(0)) accounts.close();
  rmSync(folder, { recursive: true });
});

/** What another worker process would have: a store of its own on the same file. */
function process(): Accounts {
  const accounts = createAccounts(file);
  opened.push(accounts);
  return accounts;
}

const here = { endpoint: 'http://one.example/v1', keyVariable: 'KEY' };
const never = () => false;
const one = { input: 1, output: 0 };
const reply: ChatReply = {
  ...{ text: 'x', finishReason: 'stop', returnedModel: null, fingerprint: null, logprobs: null },
  ...{ inputTokens: 1, cachedTokens: null, outputTokens: 1, reasoningTokens: null },
};
const answered = async (): Promise<CallOutcome> => ({ replies: [reply] });

/** A call that is in flight until it is ended. */
function held() {
  const end = Promise.withResolvers<CallOutcome>();
  let started = false;
  const call = (): Promise<CallOutcome> => {
    started = true;
    return end.promise;
  };
  return { call, end: end.resolve, started: () => started };
}

async function timed(work: Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work;
  return performance.now() - startMs;
}

const child = fileURLToPath(new URL('./account-process.ts', import.meta.url));
const start = (...args: readonly (string | number)[]) =>
  spawn(
    globalThis.process.execPath,
    ['--disable-warning=ExperimentalWarning', child, file, join(folder, 'log'), ...args.map(String)],
    {
      stdio: 'inherit',
    },
  );
const log = () =>
  readFileSync(join(folder, 'log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ delta: line.startsWith('+') ? 1 : -1, atMs: Number(line.slice(2)) }));

test('three processes together use all slots of an account and never exceed them', async () => {
  const exits = await Promise.all([30, 30, 30].map((calls) => once(start(calls, 4), 'exit')));
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0]);
  let inFlight = 0;
  const counts = log().map(({ delta }) => (inFlight += delta));
  expect(counts).toHaveLength(180);
  expect(Math.max(...counts)).toBe(4);
});

// Red without `leavesNextPlace`: the late one's call waits until the first one's queue is empty, two seconds and more.
test('a process that comes later does not wait for the queue of the one before', async () => {
  const [first, late] = [process().open(here, { concurrency: 4 }, 4), process().open(here, { concurrency: 4 }, 4)];
  let open = 400;
  const short = async (): Promise<CallOutcome> => {
    await pause(20);
    open -= 1;
    return answered();
  };
  const queue = Promise.all(Array.from({ length: open }, () => first.use(short, one, never)));
  await pause(200);
  await late.use(answered, one, never);
  expect(open).toBeGreaterThan(200);
  await queue;
});

test('two processes together keep the limit on requests per minute', async () => {
  // Ten calls: a burst of 5 (300 / 60), then one each 61.5 s / (300 + 1 - 5).
  const tookMs = await timed(Promise.all([5, 5].map((calls) => once(start(calls, 100, 300), 'exit'))));
  const starts = log().flatMap(({ delta, atMs }) => (delta > 0 ? [atMs] : []));
  expect(starts).toHaveLength(10);
  expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThanOrEqual(5 * (61_500 / 296) - 30);
  expect(tookMs).toBeLessThan(10_000);
});

test('the slots of a killed process are free within a second', async () => {
  const killed = start(500, 2);
  while (!existsSync(join(folder, 'log')) || log().length < 2) await pause(10);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const account = process().open(here, { concurrency: 2 }, 8);
  expect(await timed(Promise.all([account.use(answered, one, never), account.use(answered, one, never)]))).toBeLessThan(
    1_000,
  );
});

test('a Retry-After received by one process closes the account for the other', async () => {
  const limits = { concurrency: 4 };
  const [first, second] = [process().open(here, limits, 8), process().open(here, limits, 8)];
  const fault = new ProviderFault('retry', 'slow down', { httpStatus: 429, retryAfterMs: 400 });
  expect(await first.use(async () => fault, one, never)).toBe(fault);
  await pause(50);
  const waitedMs = await timed(second.use(answered, one, never));
  expect(waitedMs).toBeGreaterThan(250);
  expect(waitedMs).toBeLessThan(2_000);
});

test('a call does not wait for an account closed for over a minute: the outcome says how long', async () => {
  const account = process().open(here, { concurrency: 4 }, 8);
  await account.use(
    async () => new ProviderFault('retry', 'tomorrow', { httpStatus: 429, retryAfterMs: 3_600_000 }),
    one,
    never,
  );
  await pause(20);
  const outcome = await account.use(() => Promise.reject(new Error('was asked')), one, never);
  expect(outcome).toMatchObject({ kind: 'retry', retryAfterMs: expect.any(Number) });
  // An hour was asked for; a quarter of an hour is the most.
  expect(outcome.retryAfterMs).toBeGreaterThan(890_000);
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

test('another key or another endpoint is another account; another name for the same is not', async () => {
  const accounts = process();
  const busy = held();
  const first = accounts.open(here, { concurrency: 1 }, 8).use(busy.call, one, never);
  await accounts.open({ ...here, keyVariable: 'OTHER' }, { concurrency: 1 }, 8).use(answered, one, never);
  await accounts.open({ ...here, endpoint: 'http://two.example/v1' }, { concurrency: 1 }, 8).use(answered, one, never);
  const same = process().open(here, { concurrency: 1 }, 8).use(answered, one, never);
  expect(await Promise.race([same, pause(150, 'still waiting')])).toBe('still waiting');
  busy.end({ replies: [reply] });
  await Promise.all([first, same]);
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

test('a limit learned by one process applies to another that sets none either', async () => {
  const [first, second] = [process().open(here, {}, 8), process().open(here, {}, 8)];
  for (let call = 0; call < 4; call += 1) await first.use(answered, one, never);
  expect(await timed(second.use(answered, one, never))).toBeLessThan(500);
  await first.use(async () => new ProviderFault('retry', 'slow down', { httpStatus: 429 }), one, never);
  await pause(300);
  // Closed for a second since the refusal.
  const waitedMs = await timed(second.use(answered, one, never));
  expect(waitedMs).toBeGreaterThan(400);
  expect(waitedMs).toBeLessThan(5_000);
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
  const accounts = createAccounts(folder);
  expect(() => accounts.open(here, { concurrency: 1 }, 8)).toThrow(/accounts-.*EVENKEEL_CACHE/);
});
