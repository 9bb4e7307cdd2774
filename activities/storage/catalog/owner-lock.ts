/**
 * Ownership of a run: one process at a time, by a lock that the operating system drops when its
 * holder ends, for any reason.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InputError } from '../../../domain/errors.ts';
import { lockFault } from '../files/corruption.ts';
import type { Owned, Ownership } from './run-catalog.ts';

/**
 * SQLite's own lock on an empty database. It works across containers that share a folder,
 * where pids and host names are meaningless.
 */
export const lockPath = (runFolder: string): string => join(runFolder, 'owner.lock');

/** Checking whether a run is owned takes the lock for a moment. */
const patienceMs = 500;
const sqliteBusy = 5;

export const ownerLock = (runFolder: string): Ownership => ({
  take: async () => takeLock(runFolder),
  isOwned: async () => isLocked(runFolder),
  isDetached: async () => false,
  endDetached: async () => {},
});

function takeLock(runFolder: string): Owned | null {
  const lock = opened(lockPath(runFolder), { timeout: patienceMs });
  if (succeeds(runFolder, lock, 'begin exclusive'))
    return { release: async () => lock.close(), detach: refuseToDetach };
  lock.close();
  return null;
}

async function refuseToDetach(): Promise<never> {
  throw new InputError('a run in a folder belongs to a process: it cannot be detached');
}

function isLocked(runFolder: string): boolean {
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
