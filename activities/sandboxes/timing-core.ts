/** The core for timing programs, and the lock that lets only one of this user's processes do so at a time. */
import { readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The highest-numbered core that this process may use; null if the system does not tell. */
export function lastOwnCore(): number | null {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
    const last = Number(list.split(/[,-]/).at(-1));
    return list !== '' && Number.isInteger(last) ? last : null;
  } catch {
    return null;
  }
}

const askAgainMs = 200;

/**
 * Runs `work` while no other process of this user on this machine times programs. Uses SQLite's lock on an empty
 * database, which ends with its process, even if it is killed. The empty file stays: to remove it would leave a process
 * that has it open with a lock that nobody else sees. It lies in /tmp since programs with other caches share the core.
 */
export async function withTimingLock<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = new DatabaseSync(join(tmpdir(), `evenkeel-timing-${userInfo().uid}.lock`), { timeout: 0 });
  try {
    while (!isTaken(lock)) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false;
    throw error;
  }
}
