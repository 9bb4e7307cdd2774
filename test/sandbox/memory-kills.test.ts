import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMemoryKills, memoryKillsOfMachine } from '../../activities/sandboxes/memory-kills.ts';

describe('processes ended for lack of memory', () => {
  test('are noticed since a mark, which is taken again after a second', () => {
    let count = 5;
    let nowMs = 0;
    const kills = createMemoryKills(
      () => count,
      () => nowMs,
    );
    const first = kills.mark();
    expect(kills.since(first)).toBe(false);
    count = 6;
    expect(kills.since(first)).toBe(true);
    expect(kills.since(kills.mark())).toBe(false);
    nowMs = 900;
    count = 7;
    expect(kills.since(kills.mark())).toBe(true);
    nowMs = 2000;
    count = 8;
    expect(kills.since(kills.mark())).toBe(false);
  });

  test.skipIf(!existsSync('/proc/vmstat'))('are counted by the kernel', () => {
    expect(memoryKillsOfMachine()).toBeGreaterThanOrEqual(0);
  });
});
