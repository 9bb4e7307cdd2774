/** Whether this user may write to a folder; also false on a read-only file system. */
import { accessSync, constants } from 'node:fs';

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
