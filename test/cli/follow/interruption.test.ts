import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Interruption, listenForInterruption } from '../../../cli/follow/interruption.ts';

let calls: number;
let said: string[];
let interruption: Interruption;

beforeEach(() => {
  vi.useFakeTimers();
  [calls, said] = [0, []];
  const say = (line: string): void => void said.push(line);
  const terminal = { note: say, progress: say };
  interruption = listenForInterruption({
    callsInFlight: async () => calls,
    callLimitMs: 300_000,
    terminal,
    onStop: () => {},
  });
});
afterEach(() => {
  interruption.close();
  vi.useRealTimers();
});

// Red when only calls were counted down: a slow program silently delayed a stopped command by half a minute.
test('with no call in flight slow programs are not waited for, and the wait is announced', async () => {
  process.emit('SIGHUP');
  await vi.advanceTimersByTimeAsync(0);
  expect(said).toEqual([expect.stringContaining('no call in flight, stopping programs, at most 0.5 s')]);
  await vi.advanceTimersByTimeAsync(400);
  expect([interruption.stop.aborted, interruption.leave.aborted]).toEqual([true, false]);
  expect(said.at(-1)).toBe('stopping: storing the last answers');
  await vi.advanceTimersByTimeAsync(200);
  expect(interruption.leave.aborted).toBe(true);
});

test('calls in flight are waited for, and pages have half a second after the last answer', async () => {
  calls = 3;
  process.emit('SIGHUP');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(interruption.leave.aborted).toBe(false);
  calls = 0;
  await vi.advanceTimersByTimeAsync(400);
  expect(interruption.leave.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(350);
  expect(interruption.leave.aborted).toBe(true);
});
