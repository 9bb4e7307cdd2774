/** Who drives a run: one process at a time, by a lock that the operating system drops when its holder ends, in whatever way. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockFault } from './corruption.ts';

export interface Ownership {
  /** Gives the run free. */
  release(): void;
}

/** SQLite's own lock on an empty database. It holds across containers that share a folder, where neither pids nor host names mean anything. */
export const lockPath = (runFolder: string): string => join(runFolder, 'owner.lock');

/** Whoever looks whether a run is owned holds its lock for a moment. */
const patienceMs = 500;
const sqliteBusy = 5;

/** Makes this process the owner; null when another living one is, or this one already. */
export function takeOwnership(runFolder: string): Ownership | null {
  const lock = opened(lockPath(runFolder), { timeout: patienceMs });
  if (succeeds(runFolder, lock, 'begin exclusive')) return { release: () => lock.close() };
  lock.close();
  return null;
}

export function isOwned(runFolder: string): boolean {
  if (!existsSync(lockPath(runFolder))) return false;
  const lock = opened(lockPath(runFolder), { readOnly: true });
  try {
    return !succeeds(runFolder, lock, 'select * from sqlite_schema');
  } finally {
    if (lock.isOpen) lock.close();
  }
}

function opened(path: string, options: { readOnly?: boolean; timeout?: number }): DatabaseSync {
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw lockFault(error, path);
  }
}

/** False when another connection holds the lock; throws on any other error. */
function succeeds(runFolder: string, lock: DatabaseSync, sql: string): boolean {
  try {
    lock.exec(sql);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
    if (lock.isOpen) lock.close();
    throw lockFault(error, lockPath(runFolder));
  }
}
