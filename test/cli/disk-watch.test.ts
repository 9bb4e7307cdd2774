import { expect, it } from 'vitest';
import { createDiskWatch } from '../../cli/disk-watch.ts';

it('a disk that is full is said once, and again when there was room meanwhile', () => {
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
    look();
    return lines.length;
  };
  expect([5_000_000, 70_000, 0, 2_000_000, 0].map(after)).toEqual([0, 1, 1, 1, 2]);
  expect(lines[0]).toMatch(/^the disk of \/runs is full/);
});
