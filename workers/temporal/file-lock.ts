/** One holder at a time, among all processes of a machine. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

const POLL_MS = 100;
const SQLITE_BUSY = 5;

/**
 * Runs `work` while nobody else holds `path`, waiting for as long as another does. The lock is SQLite's own on an empty database: the
 * operating system drops it when its holder dies, so no lock is ever stale and none is ever stolen.
 * `onWait` gets the milliseconds waited so far, at every poll.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait: (waitedMs: number) => void = () => {}): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    const startMs = performance.now();
    while (!tryAcquire(lock)) {
      onWait(performance.now() - startMs);
      await sleep(POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryAcquire(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
