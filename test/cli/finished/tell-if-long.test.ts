import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellIfLong } from '../../../cli/output/tell-if-long.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// Red without the timer, and without its end.
test.each([
  [60_000, ['writing the report']],
  [500, []],
])('work of %i ms is named only if it takes more than a moment', async (ms, expected) => {
  const said: string[] = [];
  const terminal = { progress: (line: string) => void said.push(line) };
  const work = () => new Promise<string>((resolve) => setTimeout(() => resolve('page'), ms));
  const made = tellIfLong(terminal, 'writing the report', work);
  await vi.advanceTimersByTimeAsync(ms);
  expect(await made).toBe('page');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual(expected);
});
