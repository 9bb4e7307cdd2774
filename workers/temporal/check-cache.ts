/** Whether the cache can be used, looked at before anything is made: what comes upon it later can say less of it. */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder, type Environment } from './cache-folder.ts';

const remedy = 'set EVENKEEL_CACHE to a folder that can be written';

/** Throws `InputError` where the cache is no folder, and none can be made there. */
export function checkCache(env: Environment): void {
  const file = resolve(cacheFolder(env));
  try {
    makeFolder(file);
  } catch (error) {
    throw new InputError(`the cache can be no folder here (${(error as Error).message}); ${remedy}`, { file });
  }
}

/** As `checkCache`; also where this user may not write into it. */
export function checkWritableCache(env: Environment): void {
  checkCache(env);
  const file = resolve(cacheFolder(env));
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new InputError(`the cache cannot be written by this user; ${remedy}`, { file });
  }
}
