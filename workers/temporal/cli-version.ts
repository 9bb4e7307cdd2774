/**
 * The version of the Temporal CLI to download or build, and its place in the cache. `data/temporal-cli/go.mod` pins the
 * same version.
 */
import { type CachedProgram, cachedProgram } from './cached-program.ts';

export const TEMPORAL_CLI_VERSION = '1.8.2';

export const temporalCli = (cache: string): CachedProgram =>
  cachedProgram(cache, 'the Temporal CLI', 'temporal', TEMPORAL_CLI_VERSION);

export const cachedCli = (cache: string): string => temporalCli(cache).path;
