import { expect, it } from 'vitest';
import { createDiskWatch } from '../../../cli/follow/disk-watch.ts';

it('a full disk is reported once, and again after it had room; the progress line says since when', () => {
  const lines: string[] = [];
  let free = 5_000_000;
  const look = createDiskWatch(
    '/runs',
    (line) => lines.push(line),
    () => free,
  );
  const after = (bytes: number): number => {
    free = bytes;
    look();
    expect(look()).toMatch(bytes < 1_000_000 ? /^ · disk full since \d\d:\d\d:\d\d, / : /^$/);
    return lines.length;
  };
  expect([5_000_000, 70_000, 0, 2_000_000, 0].map(after)).toEqual([0, 1, 1, 1, 2]);
  expect(lines[0]).toMatch(/^the disk of \/runs is full: the run waits for free space, for about 11 min 0 s at most/);
});

// Red before: it said since when only, so that a wait of ten minutes looked like one without an end.
it('the progress line says until when the run waits, and no time that has passed', () => {
  const since = new Date(2026, 10, 28, 4, 14, 22).getTime();
  let nowMs = since;
  const look = createDiskWatch(
    '/runs',
    () => {},
    () => 0,
    () => nowMs,
  );
  expect(look()).toBe(' · disk full since 04:14:22, the run waits until 04:25 at most');
  nowMs = since + 700_000;
  expect(look()).toBe(' · disk full since 04:14:22');
});
