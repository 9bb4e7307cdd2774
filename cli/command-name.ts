/** The command that hints tell people to type. */
import { basename, dirname } from 'node:path';

/** `evenkeel` if this process was started from PATH, else `npx evenkeel`, which works in a clone and in a project. */
export function commandName(started = process.argv[1] ?? ''): string {
  const isOnPath = basename(started) === 'evenkeel' && basename(dirname(started)) !== '.bin';
  return isOnPath ? 'evenkeel' : 'npx evenkeel';
}
