import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSlowShare } from '../../../activities/judging/slow-share.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('5,000 short programs are not held by slow ones that came first: on two slots these have one', async () => {
  const share = createSlowShare(2);
  const free = [0, 1];
  const queue: (() => void)[] = [];
  /** Two slots, first come, first served, as the sandbox has them. */
  const slot = async (ms: number): Promise<void> => {
    if (free.pop() === undefined) await new Promise<void>((resolve) => queue.push(resolve));
    await after(ms);
    const next = queue.shift();
    if (next === undefined) free.push(0);
    else next();
  };
  let short = 0;
  const slow = Array.from({ length: 10 }, () => share.run(true, () => slot(50_000)));
  const others = Array.from({ length: 5_000 }, () => share.run(false, () => slot(5)).then(() => (short += 1)));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(short).toBe(5_000);
  await vi.advanceTimersByTimeAsync(600_000);
  await Promise.all([...slow, ...others]);
});

test('with nothing else to run they have every slot, after a moment', async () => {
  const share = createSlowShare(4);
  let running = 0;
  const program = async (): Promise<void> => {
    running += 1;
    await after(60_000);
    running -= 1;
  };
  for (let index = 0; index < 8; index += 1) void share.run(true, program);
  await vi.advanceTimersByTimeAsync(100);
  expect(running).toBe(2);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(running).toBe(4);
});

test('a failing slow program frees its slot', async () => {
  const share = createSlowShare(1);
  const failed = share.run(true, () => Promise.reject(new Error('no'))).catch(() => 'failed');
  const next = share.run(true, () => Promise.resolve('done'));
  expect([await failed, await next]).toEqual(['failed', 'done']);
});
