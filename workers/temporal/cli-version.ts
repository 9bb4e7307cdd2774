/**
 * The version of the Temporal CLI to download or build, and its place in the cache. `data/temporal-cli/go.mod` pins the
 * same version.
 */
import { join } from 'node:path';

export const TEMPORAL_CLI_VERSION = '1.8.2';

const folderOf = (cache: string): string => join(cache, `temporal-${TEMPORAL_CLI_VERSION}`);

export const cachedCli = (cache: string): string => join(folderOf(cache), 'temporal');

/** Held by the process that downloads or builds, so that others wait and then find the executable. */
export const cliLock = (cache: string): string => join(folderOf(cache), 'lock');

/**
 * A folder for unfinished work, on the cache's own disk so that the result can be renamed into place.
 * Everything in it is disposable.
 */
export const cliScratch = (cache: string): string => join(folderOf(cache), 'unfinished');
