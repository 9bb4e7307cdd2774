/**
 * Warns about a full disk under the runs. The Temporal server waits there silently, and the run for the server until it
 * gives it up; if the ledger cannot be written either, the run ends sooner.
 */
import { statfsSync } from 'node:fs';
import { longestWaitMs } from '../../workers/retry-while-unreachable.ts';
import { durationText } from './progress-line.ts';

/** With less free space, writes of a run may fail. */
const fewBytes = 1024 * 1024;

/**
 * Returns a check of the folder's disk. It warns once when the disk is full, and again only after it had room; while
 * the disk is full it returns since when, and until when the run waits, for the progress line, else an empty text.
 */
export function createDiskWatch(
  folder: string,
  say: (line: string) => void,
  freeBytes = freeBytesOf,
  now = Date.now,
): () => string {
  let fullSinceMs: number | null = null;
  return () => {
    if (!isFull(folder, freeBytes)) {
      fullSinceMs = null;
      return '';
    }
    if (fullSinceMs === null) {
      fullSinceMs = now();
      say(
        `the disk of ${folder} is full: the run waits for free space, for about ${durationText(waitMs)} at most, and ` +
          'ends sooner if answers cannot be stored. Free some, or stop the run with Ctrl-C; stored answers are safe',
      );
    }
    const until = fullSinceMs + waitMs;
    const then = now() < until ? `, the run waits until ${clock(until).slice(0, 5)} at most` : '';
    return ` · disk full since ${clock(fullSinceMs)}${then}`;
  };
}

/** Whether writes of a run in the folder may fail. */
export const isFull = (folder: string, freeBytes = freeBytesOf): boolean => freeBytes(folder) < fewBytes;

/** The server answers for a while after the disk is full. */
const waitMs = longestWaitMs + 60_000;

const clock = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** A folder that was moved away is not full; the command ends with that message. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
