/** What every store of accounts promises, to one process and to several. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Accounts, createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import type { CallOutcome } from '../../../activities/calls/accounts/call-outcome.ts';
import type { AccountStore } from '../../../activities/calls/accounts/account-store.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import type { AccountState } from '../../../domain/accounts/account-state.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { answered, held, here, never, one, reply, timed } from './account-fixture.ts';
import { openAddress } from './account-address.ts';

const child = fileURLToPath(new URL('./account-process.ts', import.meta.url));

/** @param newAddress of a store without accounts; see `openAddress` */
export function accountStoreContract(newAddress: () => string | Promise<string>): void {
  let address: string;
  let logFile: string;
  beforeEach(async () => {
    address = await newAddress();
    logFile = join(temporaryFolder(), 'log');
  });

  /** What one more process would have. */
  const open = (): AccountStore => {
    const store = openAddress(address);
    onTestFinished(() => store.close());
    return store;
  };
  const accounts = (): Accounts => {
    const own = createAccounts(openAddress(address));
    onTestFinished(() => own.close());
    return own;
  };

  const start = (...args: readonly (string | number)[]) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, address, logFile, ...args.map(String)], {
      stdio: 'inherit',
    });
  const log = () =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ delta: line.startsWith('+') ? 1 : -1, atMs: Number(line.slice(2)) }));

  const countUp = (state: AccountState): number => {
    state.proven += 1;
    return state.proven;
  };

  test('a change is stored, and gives what its work returned', async () => {
    const [first, second] = [open(), open()];
    expect(await first.states()).toEqual([]);
    expect(await first.change(here, countUp)).toBe(1);
    expect(await second.change(here, countUp)).toBe(2);
    expect(await second.change({ ...here, keyVariable: null }, countUp)).toBe(1);
    expect(new Set((await first.states()).map(({ proven }) => proven))).toEqual(new Set([1, 2]));
  });

  test('work that throws changes nothing, and its error comes back', async () => {
    const store = open();
    await store.change(here, countUp);
    const refused = store.change(here, (state) => {
      state.proven = 7;
      throw new RangeError('no');
    });
    await expect(refused).rejects.toThrow(RangeError);
    expect(await store.change(here, countUp)).toBe(2);
  });

  test('no change of several at once is lost', async () => {
    const stores = [open(), open(), open()];
    await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => store.change(here, countUp))));
    expect(await stores[0]?.change(here, countUp)).toBe(61);
  });

  test("a change is given the time of the store's clock", async () => {
    const [first, second] = [
      await open().change(here, (_, nowMs) => nowMs),
      await open().change(here, (_, now) => now),
    ];
    expect(second - first).toBeGreaterThanOrEqual(0);
    expect(Math.abs(first - Date.now())).toBeLessThan(3_600_000);
  });

  test('three processes together use all slots of an account and never exceed them', async () => {
    const exits = await Promise.all([30, 30, 30].map((calls) => once(start(calls, 4), 'exit')));
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0]);
    let inFlight = 0;
    const counts = log().map(({ delta }) => (inFlight += delta));
    expect(counts).toHaveLength(180);
    expect(Math.max(...counts)).toBe(4);
  });

  // Red without `leavesNextPlace`: the late one's call waits until the first one's queue is empty, two seconds or more.
  test('a process that comes later does not wait for the queue of the one before', async () => {
    const [first, late] = [accounts().open(here, { concurrency: 4 }, 4), accounts().open(here, { concurrency: 4 }, 4)];
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

  // Red if the switch to SQLite's log is not tried again: one of them finds the new file locked.
  test('processes that open a new store at the same time can all use it', async () => {
    const exits = await Promise.all([1, 1, 1, 1, 1, 1].map((calls) => once(start(calls, 4), 'exit')));
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('two processes together keep the limit on requests per minute', async () => {
    // Ten calls: a burst of 5 (300 / 60), then one each 61.5 s / (300 + 1 - 5) = 208 ms; the first may be logged late.
    let exits: readonly unknown[][] = [];
    const tookMs = await timed(
      Promise.all([5, 5].map((calls) => once(start(calls, 100, 300), 'exit'))).then((ended) => (exits = ended)),
    );
    expect(exits.map(([code]) => code)).toEqual([0, 0]);
    const starts = log().flatMap(({ delta, atMs }) => (delta > 0 ? [atMs] : []));
    expect(starts).toHaveLength(10);
    expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThanOrEqual(5 * (61_500 / 296) - 150);
    expect(tookMs).toBeLessThan(10_000);
  });

  test('the slots of a killed process are free within a second', async () => {
    const killed = start(500, 2);
    while (!existsSync(logFile) || log().length < 2) await pause(10);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const account = accounts().open(here, { concurrency: 2 }, 8);
    expect(
      await timed(Promise.all([account.use(answered, one, never), account.use(answered, one, never)])),
    ).toBeLessThan(1_000);
  });

  test('a Retry-After received by one process closes the account for the other', async () => {
    const limits = { concurrency: 4 };
    const [first, second] = [accounts().open(here, limits, 8), accounts().open(here, limits, 8)];
    const fault = new ProviderFault('retry', 'slow down', { httpStatus: 429, retryAfterMs: 400 });
    // From the refusal itself on: a busy machine may be late with all that follows.
    let refusedMs = 0;
    const refused = async () => {
      refusedMs = performance.now();
      return fault;
    };
    expect(await first.use(refused, one, never)).toBe(fault);
    await pause(50);
    await second.use(answered, one, never);
    const closedMs = performance.now() - refusedMs;
    expect(closedMs).toBeGreaterThan(390);
    expect(closedMs).toBeLessThan(2_500);
  });

  test('another key or another endpoint is another account; another name for the same is not', async () => {
    const own = accounts();
    const busy = held();
    const first = own.open(here, { concurrency: 1 }, 8).use(busy.call, one, never);
    await own.open({ ...here, keyVariable: 'OTHER' }, { concurrency: 1 }, 8).use(answered, one, never);
    await own.open({ ...here, endpoint: 'http://two.example/v1' }, { concurrency: 1 }, 8).use(answered, one, never);
    const same = accounts().open(here, { concurrency: 1 }, 8).use(answered, one, never);
    expect(await Promise.race([same, pause(150, 'still waiting')])).toBe('still waiting');
    busy.end({ replies: [reply] });
    await Promise.all([first, same]);
  });

  test('a limit learned by one process applies to another that sets none either', async () => {
    const [first, second] = [accounts().open(here, {}, 8), accounts().open(here, {}, 8)];
    for (let call = 0; call < 4; call += 1) await first.use(answered, one, never);
    expect(await timed(second.use(answered, one, never))).toBeLessThan(500);
    await first.use(async () => new ProviderFault('retry', 'slow down', { httpStatus: 429 }), one, never);
    await pause(300);
    // Closed for a second since the refusal.
    const waitedMs = await timed(second.use(answered, one, never));
    expect(waitedMs).toBeGreaterThan(400);
    expect(waitedMs).toBeLessThan(5_000);
  });
}
