/** Places in the cache of a program that is downloaded or built once per machine and user. */
import { join } from 'node:path';

export interface CachedProgram {
  /** For people. */
  readonly name: string;
  /** Of the executable. */
  readonly path: string;
  /** Held by the process that downloads or builds, so that others wait and then find the executable. */
  readonly lock: string;
  /**
   * A folder for unfinished work, on the cache's own disk so that the result can be renamed into place.
   * Everything in it is disposable.
   */
  readonly scratch: string;
}

/** @param command the executable's name, part of its folder's together with the version */
export function cachedProgram(cache: string, name: string, command: string, version: string): CachedProgram {
  const folder = join(cache, `${command}-${version}`);
  return { name, path: join(folder, command), lock: join(folder, 'lock'), scratch: join(folder, 'unfinished') };
}
