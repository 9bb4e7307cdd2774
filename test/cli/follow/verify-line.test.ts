/** The progress line of `verify`. */
import { expect, test } from 'vitest';
import { countProgress, type VerifyProgress } from '../../../activities/storage/verify/verify-progress.ts';
import { verifyLine } from '../../../cli/output/verify-line.ts';

test('names files, bytes and the time left at the speed so far', () => {
  const progress = { files: 1_234, allFiles: 2_688, bytes: 1.2e9, allBytes: 3.6e9 };
  // By hand: a third in 8 s, so two thirds take 16 s.
  expect(verifyLine(progress, 8_000)).toBe('checked 1,234 of 2,688 files · 1.2 GB of 3.6 GB · 16 s left');
  expect(verifyLine(progress, 500)).toBe('checked 1,234 of 2,688 files · 1.2 GB of 3.6 GB');
  expect(verifyLine({ ...progress, bytes: 0 }, 5_000)).toBe('checked 1,234 of 2,688 files · 0 B of 3.6 GB');
  expect(verifyLine({ ...progress, bytes: 4e9 }, 5_000)).toContain('0 s left');
});

test('bytes of files and of the ledger add up, and only files are counted as files', () => {
  const seen: VerifyProgress[] = [];
  const count = countProgress({ allFiles: 2, allBytes: 60 }, (progress) => seen.push(progress));
  count.file(10);
  count.file(20);
  count.ledger(30);
  expect(seen.map(({ files, bytes }) => [files, bytes])).toEqual([
    [1, 10],
    [2, 30],
    [2, 60],
  ]);
});
