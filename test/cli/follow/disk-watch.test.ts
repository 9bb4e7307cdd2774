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
    expect(look()).toMatch(bytes < 1_000_000 ? /^ · disk full since \d\d:\d\d:\d\d$/ : /^$/);
    return lines.length;
  };
  expect([5_000_000, 70_000, 0, 2_000_000, 0].map(after)).toEqual([0, 1, 1, 1, 2]);
  expect(lines[0]).toMatch(/^the disk of \/runs is full/);
});
