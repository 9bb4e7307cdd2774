/** Whether there is room under a folder. */
import { statfsSync } from 'node:fs';

/** With less free space, writes of a run may fail. */
const fewBytes = 1024 * 1024;

/** Whether writes of a run in the folder may fail. */
export const isFull = (folder: string, freeBytes = freeBytesOf): boolean => freeBytes(folder) < fewBytes;

/** Infinite for a folder that is not there. */
export function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** So long steps wait for space, counted from when their process sees that the disk is full. */
export const longestFullMs = 10 * 60_000;
