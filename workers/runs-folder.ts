/** By which folder this process names its store of runs. Loads nothing that reads runs. */
import { resolve } from 'node:path';
import { copiesFolder, type Servers, serversIn } from '../activities/storage/servers.ts';
import { InputError } from '../domain/errors.ts';
import { cacheFolder, type Environment } from './temporal/cache-folder.ts';

export interface RunsFolder {
  /** Absolute, so that queue names and the server's state folder do not depend on where a command was started. */
  readonly runsDir: string;
  /** Where the runs are, if the folder only has this machine's copies; null if they are in it. */
  readonly servers: Servers | null;
}

/**
 * `EVENKEEL_STORE` and `EVENKEEL_BLOBS` where one is set; else the flag, else `EVENKEEL_RUNS` unless it is
 * empty, else data/runs. Throws `InputError` for the flag together with servers, and for servers that are named
 * wrongly.
 * @param flag of `--runs-dir`
 */
export function runsFolder(env: Environment, flag?: string): RunsFolder {
  const servers = serversIn(env);
  if (servers === null) return { runsDir: resolve(flag ?? (env['EVENKEEL_RUNS'] || 'data/runs')), servers };
  if (flag !== undefined)
    throw new InputError('names a folder, but EVENKEEL_STORE says that runs are on servers: leave one of them out', {
      field: '--runs-dir',
    });
  return { runsDir: copiesFolder(servers, resolve(cacheFolder(env))), servers };
}
