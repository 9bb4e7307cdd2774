import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Interruption, listenForInterruption } from '../../cli/interruption.ts';

let calls: number;
let said: string[];
let interruption: Interruption;

beforeEach(() => {
  vi.useFakeTimers();
  [calls, said] = [0, []];
  const say = (line: string): void => void said.push(line);
  const terminal = { note: say, progress: say };
  interruption = listenForInterruption({ callsInFlight: () => calls, callLimitMs: 300_000, terminal, onStop: () => {} });
});
afterEach(() => {
  interruption.close();
  vi.useRealTimers();
});

// Red where only calls were counted down: a slow program held a stopped command for half a minute without a word.
test('what ends slowly is not waited for where no call is in flight, and the wait is said', () => {
  process.emit('SIGHUP');
  vi.advanceTimersByTime(9_900);
  expect([interruption.stop.aborted, interruption.leave.aborted]).toEqual([true, false]);
  expect(said.at(-1)).toBe('stopping: what was answered is being kept');
  vi.advanceTimersByTime(200);
  expect(interruption.leave.aborted).toBe(true);
});

test('calls in flight are waited for, and what comes of the last one has its ten seconds', () => {
  calls = 3;
  process.emit('SIGHUP');
  vi.advanceTimersByTime(100_000);
  expect(interruption.leave.aborted).toBe(false);
  calls = 0;
  vi.advanceTimersByTime(9_000);
  expect(interruption.leave.aborted).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(interruption.leave.aborted).toBe(true);
});
