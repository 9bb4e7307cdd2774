/** Warns about a full disk under the runs: the Temporal server waits there silently. */
import { statfsSync } from 'node:fs';

/** With less free space, writes of a run may fail. */
const fewBytes = 1024 * 1024;

/**
 * Returns a check of the folder's disk. It warns once when the disk is full, and again only after it had room; while
 * the disk is full it returns since when, for the progress line, else an empty text.
 */
export function createDiskWatch(folder: string, say: (line: string) => void, freeBytes = freeBytesOf): () => string {
  let fullSince: Date | null = null;
  return () => {
    if (freeBytes(folder) >= fewBytes) {
      fullSince = null;
      return '';
    }
    if (fullSince === null) {
      fullSince = new Date();
      say(
        `the disk of ${folder} is full: the run waits for free space. Free some, or stop the run with Ctrl-C; ` +
          'no answer is lost',
      );
    }
    return ` · disk full since ${fullSince.toTimeString().slice(0, 8)}`;
  };
}

/** A folder that was moved away is not full; the command ends with that message. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
