/**
 * Steps that cannot write, since the disk of the runs is full, wait for free space. They call nothing meanwhile: an
 * answer is paid for, and could not be stored.
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isDiskFull } from '../domain/errors.ts';
import { freeBytesOf, isFull, longestFullMs } from './storage/files/free-space.ts';

type Activity<I, O> = (input: I) => Promise<O>;

/**
 * For the steps of one process. Once one of them met a full disk, none is begun until there is room: each fails with a
 * failure that Temporal tries again in 5 s, and once the disk has been full for `longestFullMs` with one that ends it.
 * A fault of another disk, or of a disk that has room again, passes unchanged.
 * @param folder of the runs
 */
export function createDiskWait(folder: string, freeBytes = freeBytesOf, now = Date.now) {
  let fullSinceMs: number | null = null;
  let isMet = false;

  /** Call every few seconds: a step that begins late, in a process without work before, must not wait longer. */
  function look(): void {
    fullSinceMs = isFull(folder, freeBytes) ? (fullSinceMs ?? now()) : null;
    isMet &&= fullSinceMs !== null;
  }

  const failure = (): ApplicationFailure | null => {
    look();
    return fullSinceMs === null ? null : fullFor(folder, now() - fullSinceMs);
  };

  function throwIfFull(): void {
    const full = isMet ? failure() : null;
    if (full !== null) throw full;
  }

  const wrap =
    <I, O>(activity: Activity<I, O>): Activity<I, O> =>
    async (input) => {
      throwIfFull();
      try {
        return await activity(input);
      } catch (error) {
        const full = isDiskFull(error) ? failure() : null;
        isMet ||= full !== null;
        throw full ?? error;
      }
    };

  return { look, wrap };
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
