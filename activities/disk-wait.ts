/**
 * Steps that cannot write, since the disk of the runs is full, wait for free space. They call nothing meanwhile: an
 * answer is paid for, and could not be stored.
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isDiskFull } from '../domain/errors.ts';
import { freeBytesOf, isFull, longestFullMs } from './storage/files/free-space.ts';

type Activity<I, O> = (input: I) => Promise<O>;

/**
 * Wraps the steps of one process.
 * @param folder of the runs
 * @returns a wrapper. While the disk is full, its step fails with a failure that Temporal tries again in 5 s, and after
 *   `longestFullMs` with one that ends it. A fault of another disk, or of a disk that has room again, passes unchanged.
 */
export function createDiskWait(folder: string, freeBytes = freeBytesOf, now = Date.now) {
  let fullSinceMs: number | null = null;

  function throwIfFull(): void {
    if (fullSinceMs === null) return;
    if (isFull(folder, freeBytes)) throw fullFor(folder, now() - fullSinceMs);
    fullSinceMs = null;
  }

  return <I, O>(activity: Activity<I, O>): Activity<I, O> =>
    async (input) => {
      throwIfFull();
      try {
        return await activity(input);
      } catch (error) {
        if (!isDiskFull(error) || !isFull(folder, freeBytes)) throw error;
        fullSinceMs ??= now();
        throw fullFor(folder, now() - fullSinceMs);
      }
    };
}

/** Both are recognised by their text: domain/errors.ts. */
const fullFor = (folder: string, ms: number): ApplicationFailure =>
  ms < longestFullMs
    ? ApplicationFailure.create({
        type: 'DiskFull',
        message: `ENOSPC: the disk of ${folder} is full; the step waits for free space`,
        nextRetryDelay: '5 seconds',
        category: ApplicationFailureCategory.BENIGN,
      })
    : ApplicationFailure.create({
        type: 'DiskFull',
        message: `ENOSPC: the disk of ${folder} has been full for ${Math.round(ms / 60_000)} minutes`,
        nonRetryable: true,
      });
