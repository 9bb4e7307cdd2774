/** A folder and those above it. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** As `mkdir -p`. Node's own never ends where the system makes no folder in one that is there, as in /proc. Throws the system's error. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !existsSync(dirname(path))) {
      makeFolder(dirname(path));
      makeFolder(path);
      return;
    }
    if (code !== 'EEXIST' && code !== 'EROFS') throw error;
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
