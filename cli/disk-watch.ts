/** A full disk under the runs: the Temporal server waits there without a word, so that the command has to say it. */
import { statfsSync } from 'node:fs';

/** Below this nothing that a run writes can be counted on. */
const fewBytes = 1024 * 1024;

/** Looks at the disk of a folder. Says once that it is full, and again only after there was room. */
export function createDiskWatch(folder: string, say: (line: string) => void, freeBytes = freeBytesOf): () => void {
  let wasFull = false;
  return () => {
    const isFull = freeBytes(folder) < fewBytes;
    if (isFull && !wasFull)
      say(`the disk of ${folder} is full: the run waits for room. Free some, or stop it with Ctrl-C; nothing that was answered is lost`);
    wasFull = isFull;
  };
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
