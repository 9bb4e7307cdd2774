/**
 * Identifies the store of runs (the runs directory) that a process serves, independent of its path or mount point.
 * Queues are named for it, so a worker takes a step only if it can read the folder that holds the run. A worker for
 * another folder, on another machine or for a copy waits at another queue.
 */
import { linkSync, readFileSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeFileDurably } from '../activities/storage/files/durable-file.ts';
import { makeFolder } from '../activities/storage/files/make-folder.ts';
import { storeAt } from '../activities/storage/opened-store.ts';
import { sha256 } from '../domain/ids.ts';

/**
 * Eight hex digits. A copy of the folder has another inode, and so counts as another store. A store on servers has an
 * id of its own, which is the same on every host.
 */
export function storeOf(runsDir: string): string {
  const onServers = storeAt(runsDir);
  if (onServers !== null) return sha256(onServers.id).slice(0, 8);
  const path = join(runsDir, '.store');
  makeFolder(runsDir);
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) makeStore(path);
  return sha256(`${readFileSync(path, 'latin1')} ${statSync(path).ino}`).slice(0, 8);
}

/** If several processes create it at once, the first one wins. */
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
