/** What hints tell a person to type. */
import { basename, dirname } from 'node:path';

/** As this command was started: `evenkeel` where it is installed on PATH, else `npx evenkeel`, which works in a clone and a project. */
export function commandName(started = process.argv[1] ?? ''): string {
  const isOnPath = basename(started) === 'evenkeel' && basename(dirname(started)) !== '.bin';
  return isOnPath ? 'evenkeel' : 'npx evenkeel';
}
