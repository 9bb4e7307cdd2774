/**
 * Ownership of a run: one process at a time, by a lock that the operating system drops when its
 * holder ends, for any reason.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../domain/errors.ts';
import { openedLock, succeeds, takenLock } from '../files/exclusive-lock.ts';
import type { Owned, Ownership } from './run-catalog.ts';

export const lockPath = (runFolder: string): string => join(runFolder, 'owner.lock');

/** Checking whether a run is owned takes the lock for a moment. */
const patienceMs = 500;

export const ownerLock = (runFolder: string): Ownership => ({
  take: async () => takeLock(runFolder),
  isOwned: async () => isLocked(runFolder),
  isDetached: async () => false,
  endDetached: async () => {},
});

function takeLock(runFolder: string): Owned | null {
  const lock = takenLock(lockPath(runFolder), patienceMs);
  return lock === null ? null : { release: async () => lock.close(), detach: refuseToDetach };
}

async function refuseToDetach(): Promise<never> {
  throw new InputError('a run in a folder belongs to a process: it cannot be detached');
}

function isLocked(runFolder: string): boolean {
  const path = lockPath(runFolder);
  if (!existsSync(path)) return false;
  const lock = openedLock(path, { readOnly: true });
  try {
    return !succeeds(path, lock, 'select * from sqlite_schema');
  } finally {
    if (lock.isOpen) lock.close();
  }
}
