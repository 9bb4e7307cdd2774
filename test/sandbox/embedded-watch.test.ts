import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSteps } from '../../activities/sandboxes/embedded/embedded-watch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the clock over a child, limit 1,000 ms', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /**
   * When it ends a child, second by second, that got these shares of a core and waited for one for
   * the rest but what it slept.
   */
  const endOf = (isPatient: boolean, cpuShare: number, waitShare: number): string => {
    const folder = temporaryFolder();
    const show = (ms: number): void => {
      writeFileSync(join(folder, 'stat'), `1 (node) R ${'0 '.repeat(10)}${Math.floor((cpuShare * ms) / 10)} 0 0 0`);
      writeFileSync(join(folder, 'schedstat'), `0 ${waitShare * ms * 1e6} 7\n`);
    };
    let ended = 'no end';
    let ms = 0;
    show(ms);
    const watch = watchSteps(folder, (end) => (ended = `${end} after ${ms} ms`), isPatient);
    watch.begin(1000);
    for (ms = 100; ms <= 110_000 && ended === 'no end'; ms += 100) {
      show(ms);
      vi.advanceTimersByTime(100);
    }
    watch.stop();
    return ended;
  };

  // By hand: 5 s, or 1 s of CPU time (its count begins with the first look, after 100 ms), and 100 ms of grace.
  it.each([
    ['that has its core', false, 1, 0, 'cpu_timeout after 1100 ms'],
    ['that sleeps', false, 0, 0, 'wall_timeout after 5100 ms'],
    ['that waits', false, 0.1, 0.9, 'wall_timeout after 5100 ms'],
    ['that sleeps, seen again', true, 0, 0, 'wall_timeout after 5100 ms'],
    ['that waits, seen again', true, 0.1, 0.9, 'cpu_timeout after 10100 ms'],
    ['that waits for half and sleeps for half, seen again', true, 0, 0.5, 'wall_timeout after 10200 ms'],
    ['that gets no core at all, seen again', true, 0, 1, 'wall_timeout after 100100 ms'],
  ])('ends one %s', (_name, isPatient, cpuShare, waitShare, wanted) => {
    expect(endOf(isPatient, cpuShare, waitShare)).toBe(wanted);
  });
});
