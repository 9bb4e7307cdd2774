/**
 * Folders shared with a slot. Their names contain the owner's pid, so that leftovers of a crash can be
 * told from folders in use.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const named = /^evenkeel-slot-(\d+)-/;

/** A new folder that only this user may write to; remove it when the slot has ended. */
export function makeSlotFolder(): string {
  return mkdtempSync(join(tmpdir(), `evenkeel-slot-${process.pid}-`));
}

/** Removes folders whose owner has died. Other users' folders stay. */
export function clearSlotFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!isOwnerGone(name)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Belongs to another user, who will remove it.
    }
  }
}

/** Whether `name` is that of a slot's folder whose process has ended. */
export function isOwnerGone(name: string): boolean {
  const pid = named.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
