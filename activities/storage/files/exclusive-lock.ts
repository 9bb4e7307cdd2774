/**
 * SQLite's own lock on an empty database: the operating system drops it when its holder ends, for any reason. It works
 * across containers that share a folder, where pids and host names are meaningless.
 */
import { DatabaseSync } from 'node:sqlite';
import { lockFault } from './corruption.ts';

const sqliteBusy = 5;

/** The open lock, which closing releases; null while another connection holds it. @param patienceMs to wait for it */
export function takenLock(path: string, patienceMs: number): DatabaseSync | null {
  const lock = openedLock(path, { timeout: patienceMs });
  if (succeeds(path, lock, 'begin exclusive')) return lock;
  lock.close();
  return null;
}

export function openedLock(path: string, options: { readOnly?: boolean; timeout?: number }): DatabaseSync {
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw lockFault(error, path);
  }
}

/** False when another connection holds the lock; throws on any other error. */
export function succeeds(path: string, lock: DatabaseSync, sql: string): boolean {
  try {
    lock.exec(sql);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
    if (lock.isOpen) lock.close();
    throw lockFault(error, path);
  }
}
