/**
 * Where downloaded and built programs are kept: outside of any clone, so that each is fetched or built
 * once per machine and user.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { xdgFolder } from '../../domain/xdg-folder.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `EVENKEEL_CACHE`, else `$XDG_CACHE_HOME/evenkeel` if that is an absolute path, else `~/.cache/evenkeel`. */
export function cacheFolder(env: Environment): string {
  if (isSet(env['EVENKEEL_CACHE'])) return env['EVENKEEL_CACHE'];
  const caches = xdgFolder(env, 'XDG_CACHE_HOME') ?? join(isSet(env['HOME']) ? env['HOME'] : homedir(), '.cache');
  return join(caches, 'evenkeel');
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
