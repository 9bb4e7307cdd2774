/** A lock with one holder at a time among all processes of a machine. */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { lockFault } from '../../activities/storage/files/corruption.ts';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';

const POLL_MS = 100;
const SQLITE_BUSY = 5;

/**
 * Runs `work` while holding the lock `path`; waits as long as another process holds it. The lock is SQLite's own, on an
 * empty database: the operating system drops it when its holder dies, so it is never stale and never has to be broken.
 * `onWait` gets the milliseconds waited so far, at every poll.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (waitedMs: number) => void = () => {},
): Promise<T> {
  makeFolder(dirname(path));
  const lock = opened(path);
  try {
    const startMs = performance.now();
    while (!tryAcquire(lock, path)) {
      onWait(performance.now() - startMs);
      await sleep(POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** Runs `work` while holding the lock `path`; returns `otherwise` if another process holds it. */
export async function whileLockIsFree<T>(path: string, work: () => Promise<T>, otherwise: T): Promise<T> {
  makeFolder(dirname(path));
  const lock = opened(path);
  try {
    return tryAcquire(lock, path) ? await work() : otherwise;
  } finally {
    lock.close();
  }
}

function opened(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw lockFault(error, path);
  }
}

function tryAcquire(lock: DatabaseSync, path: string): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw lockFault(error, path);
  }
}
