/**
 * Warns about a full disk under the runs. Steps wait there for space (activities/disk-wait.ts), and so does the
 * Temporal server, silently; the run waits for the server until it gives it up.
 */
import { freeBytesOf, isFull, longestFullMs } from '../../activities/storage/files/free-space.ts';
import { longestWaitMs } from '../../workers/retry-while-unreachable.ts';
import { durationText } from './progress-line.ts';

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
        `the disk of ${folder} is full: the run waits for free space, for about ${durationText(waitMs)} at most. ` +
          'Free some, or stop the run with Ctrl-C; stored answers are safe',
      );
    }
    const until = fullSinceMs + waitMs;
    const then = now() < until ? `, the run waits until ${clock(until).slice(0, 5)} at most` : '';
    return ` · disk full since ${clock(fullSinceMs)}${then}`;
  };
}

/** Steps and the server go on for a while after the disk is full. */
const waitMs = Math.max(longestWaitMs, longestFullMs) + 60_000;

const clock = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);
