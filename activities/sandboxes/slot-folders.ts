/** Folders of this machine that a slot is given something through: named by their owner, so that what a crash left can be told from what is in use. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const named = /^evenkeel-slot-(\d+)-/;

/** A new folder that only this user may write to; remove it when the slot is gone. */
export function makeSlotFolder(): string {
  return mkdtempSync(join(tmpdir(), `evenkeel-slot-${process.pid}-`));
}

/** Removes folders whose owner is no more. Those of other users stay. */
export function clearSlotFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = named.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's: for that one to clear.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
