/**
 * Which store of runs a process serves: this very folder, whatever it is called where it is mounted. Queues are named for it, so that whoever takes a step has
 * read the file in the folder that holds the run: a worker for another folder, of another machine or for a copy waits at another queue.
 */
import { linkSync, readFileSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeFileDurably } from '../activities/storage/durable-file.ts';
import { makeFolder } from '../activities/storage/make-folder.ts';
import { sha256 } from '../domain/ids.ts';

/** Eight hex digits. A copy has another file (inode), and is another store. */
export function storeOf(runsDir: string): string {
  const path = join(runsDir, '.store');
  makeFolder(runsDir);
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) makeStore(path);
  return sha256(`${readFileSync(path, 'latin1')} ${statSync(path).ino}`).slice(0, 8);
}

/** The first of several that make it at once has made it. */
function makeStore(path: string): void {
  const aside = `${path}-${randomUUID()}`;
  writeFileDurably(aside, new TextEncoder().encode(`${randomUUID()}\n`));
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
