/** Whether this user may write to a folder; also false on a read-only file system. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first folder in this one, at any depth, that this user may not write to; null if there is none. */
export function unwritableIn(folder: string): string | null {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const inner = join(folder, entry.name);
    const found = isWritable(inner) ? unwritableIn(inner) : inner;
    if (found !== null) return found;
  }
  return null;
}
